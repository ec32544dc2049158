import { ThawError } from '../../../schemas/errors.ts';
import type { CheckpointArray } from '../../checkpoint.ts';
import type { NamedArrays } from '../../executor.ts';
import { ObservationMoments } from '../../normalization/observation-moments.ts';
import type { Rollout } from '../../rollout/rollout-buffer.ts';
import { takeInitialMoments } from '../../transfer/moments.ts';
import type { LearnerSetup, PolicyDescription } from '../contract.ts';

// Letters: I input features, C numbers that all seats see together.

/** What graphs call the observations of a group; `.mean` and `.scale` of it are their inputs. */
export const observationName = (group: number): string => `observation${group}`;
export const JOINT_NAME = 'joint';

/** Moments of what was observed, of every group and of all seats together, as graphs are given them. */
export class ObservedMoments {
  /** What graphs are given beside all else. */
  readonly inputs: NamedArrays;
  private readonly all: ReadonlyMap<string, ObservationMoments>;

  /** @param jointSize C, 0 where nobody looks at it @param isOn whether anything is normalised at all */
  constructor(policies: readonly PolicyDescription[], jointSize: number, isOn: boolean) {
    const ofGroups = policies.map(
      ({ group, inputSize, identitySize }) =>
        [observationName(group), new ObservationMoments(inputSize, inputSize - identitySize)] as const,
    );
    const joint = jointSize > 0 ? [[JOINT_NAME, new ObservationMoments(jointSize, jointSize)] as const] : [];
    this.all = new Map(isOn ? [...ofGroups, ...joint] : []);
    const named = [...this.all].flatMap(([name, { mean, scale }]) => [
      [`${name}.mean`, mean] as const,
      [`${name}.scale`, scale] as const,
    ]);
    this.inputs = Object.fromEntries(named);
  }

  /** Null where observations are taken as they are. */
  ofGroup(group: number): ObservationMoments | null {
    return this.all.get(observationName(group)) ?? null;
  }

  /** Starts from those of policies whose weights are taken over. @throws REQUEST_CONFLICT when only one side normalises */
  takeInitial({ initial }: Pick<LearnerSetup, 'initial'>): void {
    initial?.forEach((each, group) => takeInitialMoments(this.ofGroup(group), each));
  }

  /** Takes in what learners saw. */
  add(rollouts: readonly Rollout[]): void {
    if (this.all.size === 0) return;
    for (const rollout of rollouts) this.ofGroup(rollout.group)?.add(rollout.inputs, learningRows(rollout));
    const joint = rollouts[0]?.joint;
    if (joint) this.all.get(JOINT_NAME)?.add(joint, learningEntries(rollouts));
  }

  arrays(): Readonly<Record<string, CheckpointArray>> {
    const named = [...this.all].flatMap(([name, moments]) =>
      Object.entries(moments.arrays()).map(([part, array]) => [`${name}.${part}`, array] as const),
    );
    return Object.fromEntries(named);
  }

  /** Reads what a checkpoint holds, and takes it up when called. @throws REQUEST_CONFLICT when it is of others */
  prepareLoad(arrays: Readonly<Record<string, CheckpointArray | undefined>>): () => void {
    const own = this.arrays();
    for (const name of Object.keys(own)) {
      if (arrays[name]?.length === own[name]!.length) continue;
      throw new ThawError('REQUEST_CONFLICT', `the checkpoint holds no ${name} of ${own[name]!.length} numbers`);
    }
    return () => {
      for (const [name, moments] of this.all) {
        const parts = Object.keys(moments.arrays()).map((part) => [part, arrays[`${name}.${part}`]!] as const);
        moments.load(Object.fromEntries(parts));
      }
    };
  }
}

function learningRows({ learning }: Rollout): Int32Array {
  const rows: number[] = [];
  learning.forEach((is, row) => is === 1 && rows.push(row));
  return Int32Array.from(rows);
}

/** Environments' steps in which anybody learns. */
function learningEntries(rollouts: readonly Rollout[]): Int32Array {
  const entries = new Set<number>();
  for (const { learning, seats } of rollouts) {
    learning.forEach((is, row) => is === 1 && entries.add(Math.floor(row / seats.length)));
  }
  return Int32Array.from(entries).sort();
}
