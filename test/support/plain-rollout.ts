import { createRollout, type Rollout } from '../../learning/rollout/rollout-buffer.ts';

interface PlainRolloutOptions {
  readonly group?: number;
  readonly stepCount: number;
  readonly environmentCount: number;
  readonly seats?: readonly number[];
}

/** A rollout of zeros of a policy of one input and two actions, for whoever looks at neither; of one seat by default. */
export function plainRollout({ group = 0, stepCount, environmentCount, seats = [0] }: PlainRolloutOptions): Rollout {
  return createRollout(
    { group, inputSize: 1, actions: { kind: 'discrete', count: 2 }, isMasked: false, memorySize: 0 },
    { stepCount, environmentCount, seats, jointSize: 0 },
  );
}
