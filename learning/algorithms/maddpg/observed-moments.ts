import { arrayOfLength, type CheckpointArray } from '../../checkpoint.ts';
import type { NamedArrays } from '../../executor.ts';
import { ObservationMoments } from '../../normalization/observation-moments.ts';
import type { Rollout } from '../../rollout/rollout-buffer.ts';
import type { PolicyDescription } from '../contract.ts';

// Letters: T steps of a block, D driven seats of a group, C numbers that all seats see together.

/** Moments of what the seats of every group see, and of what all see together: by group, and `joint`. */
export class ObservedMoments {
  private readonly moments: Readonly<Record<string, ObservationMoments>>;

  /** @param jointSize C */
  constructor(policies: readonly PolicyDescription[], jointSize: number) {
    this.moments = {
      ...Object.fromEntries(
        policies.map(({ group, inputSize, identitySize }) => [
          String(group),
          new ObservationMoments(inputSize, inputSize - identitySize),
        ]),
      ),
      joint: new ObservationMoments(jointSize, jointSize),
    };
  }

  of(group: number): ObservationMoments {
    return this.moments[String(group)]!;
  }

  /** By the names of the graphs' inputs: those of group 0 are `0_mean` and `0_scale`. */
  inputs(): NamedArrays {
    return Object.fromEntries(
      Object.entries(this.moments).flatMap(([name, { mean, scale }]) => [
        [`${name}_mean`, mean],
        [`${name}_scale`, scale],
      ]),
    );
  }

  /** Takes in a block: what learners saw, and what all saw wherever there was a learner. */
  add(rollouts: readonly Rollout[]): void {
    const joint = new Set<number>();
    for (const { group, learning, inputs, seats } of rollouts) {
      const rows: number[] = [];
      learning.forEach((isLearner, row) => {
        if (isLearner === 0) return;
        rows.push(row);
        joint.add(Math.floor(row / seats.length));
      });
      this.of(group).add(inputs, Int32Array.from(rows));
    }
    const seen = rollouts[0]?.joint;
    if (seen) this.moments['joint']!.add(seen, Int32Array.from(joint).sort());
  }

  arrays(): Record<string, CheckpointArray> {
    return Object.fromEntries(
      this.entries().map(({ name, part, array }) => [`${name}.observed.${part}`, array] as const),
    );
  }

  /** Reads what a checkpoint holds, and takes it up when called. @throws REQUEST_CONFLICT when it is of others */
  reader(arrays: Readonly<Record<string, CheckpointArray | undefined>>): () => void {
    const found = this.entries().map(({ name, part, array }) => ({
      name,
      part,
      array: arrayOfLength(arrays, `${name}.observed.${part}`, array.length, 'the normalisation'),
    }));
    return () => {
      for (const [name, moments] of Object.entries(this.moments)) {
        const own = found.filter((each) => each.name === name).map(({ part, array }) => [part, array] as const);
        moments.load(Object.fromEntries(own));
      }
    };
  }

  private entries(): { name: string; part: string; array: CheckpointArray }[] {
    return Object.entries(this.moments).flatMap(([name, moments]) =>
      Object.entries(moments.arrays()).map(([part, array]) => ({ name, part, array })),
    );
  }
}
