import { arrayOfLength, type CheckpointArray, prefixed } from '../../checkpoint.ts';
import type { NamedArrays } from '../../executor.ts';
import { ObservationMoments } from '../../normalization/observation-moments.ts';
import { INITIAL_MOMENTS, scaleFromMoments, updatedMoments, type ValueMoments } from '../../normalization/popart.ts';
import { type PlayedSteps, RewardScales } from '../../normalization/reward-scales.ts';
import type { PolicyDescription } from '../contract.ts';
import type { ProximalParameters } from './parameters.ts';

// Letters: S samples, J joint observations of a block, C numbers that all seats see together.

type Arrays = Readonly<Record<string, CheckpointArray | undefined>>;

/** How one group's networks shift and scale what they are given. */
export class Normalizers {
  /** Moments of the value targets; as they are at first where values are not normalised. */
  values: ValueMoments = INITIAL_MOMENTS;
  /** Null where observations are taken as they are; `joint` also where nobody looks at them. */
  readonly observations: ObservationMoments | null;
  readonly joint: ObservationMoments | null;
  /** Null where rewards are taken as they are. */
  readonly rewards: RewardScales | null;
  private readonly owner: string;

  /** @param jointSize C; 0 where nobody looks at what all seats see */
  constructor(
    { group, inputSize, identitySize }: PolicyDescription,
    jointSize: number,
    { observation_normalization: ofObservations, reward_normalization: ofRewards, gamma }: ProximalParameters,
  ) {
    this.owner = `group ${group}`;
    this.observations = ofObservations ? new ObservationMoments(inputSize, inputSize - identitySize) : null;
    this.joint = ofObservations && jointSize > 0 ? new ObservationMoments(jointSize, jointSize) : null;
    this.rewards = ofRewards ? new RewardScales(gamma) : null;
  }

  /** What a normalised value is in units of return: mean + std·v. */
  get returns(): { readonly mean: number; readonly std: number } {
    const { mean, std } = scaleFromMoments(this.values);
    const unit = this.rewards?.common ?? 1;
    return { mean: unit * mean, std: unit * std };
  }

  /** By the names of graphs' inputs. */
  get inputs(): NamedArrays {
    const { observations, joint } = this;
    return {
      ...(observations && { observation_mean: observations.mean, observation_scale: observations.scale }),
      ...(joint && { joint_mean: joint.mean, joint_scale: joint.scale }),
    };
  }

  /** Takes in what was observed in a block. @param rows indices of the samples of learners */
  observe({ rollout }: PlayedSteps, rows: Int32Array): void {
    this.observations?.add(rollout.inputs, rows);
    if (this.joint === null) return;
    const seatCount = rollout.seats.length;
    this.joint.add(rollout.joint!, Int32Array.from(new Set(rows.map((row) => Math.floor(row / seatCount)))));
  }

  /** The moments of values after another block of targets. @returns false where they would not be finite: they stay */
  moveValues(targets: Float32Array): boolean {
    const moved = updatedMoments(this.values, targets);
    if (!Number.isFinite(moved.mean) || !Number.isFinite(moved.meanOfSquares)) return false;
    this.values = moved;
    return true;
  }

  arrays(): Record<string, Float64Array> {
    const { mean, meanOfSquares, weight } = this.values;
    return {
      values: Float64Array.of(mean, meanOfSquares, weight),
      ...prefixed('observations', this.observations?.arrays()),
      ...prefixed('joint', this.joint?.arrays()),
      ...prefixed('rewards', this.rewards?.arrays()),
    };
  }

  /**
   * @returns what takes them up, once everything else has been found to fit, too
   * @throws REQUEST_CONFLICT when they are those of others
   */
  reader(arrays: Arrays): () => void {
    const [mean, meanOfSquares, weight] = arrayOfLength(arrays, 'values', 3, this.owner);
    const observations = this.momentsIn(arrays, 'observations', this.observations);
    const joint = this.momentsIn(arrays, 'joint', this.joint);
    const rewards = Object.keys(arrays).filter((name) => name.startsWith('rewards.'));
    const scales = rewards.map((name) => [name.slice('rewards.'.length), arrayOfLength(arrays, name, 3, this.owner)]);
    return () => {
      this.values = { mean: mean!, meanOfSquares: meanOfSquares!, weight: weight! };
      if (observations !== null) this.observations?.load(observations);
      if (joint !== null) this.joint?.load(joint);
      this.rewards?.load(Object.fromEntries(scales) as Record<string, CheckpointArray>);
    };
  }

  private momentsIn(arrays: Arrays, name: string, moments: ObservationMoments | null) {
    if (moments === null) return null;
    const own = Object.entries(moments.arrays());
    return Object.fromEntries(
      own.map(([part, { length }]) => [part, arrayOfLength(arrays, `${name}.${part}`, length, this.owner)]),
    );
  }
}
