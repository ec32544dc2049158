import { createActions, jointActions } from '../../simulators/actions.ts';
import type { ActionArray, Batch, World } from '../../simulators/contract.ts';

/** Whoever decides on the actions of all seats that are driven from outside. */
export interface Chooser {
  /** How many steps there are actions for. */
  readonly stepCount: number;
  /** Who acts on a seat, in words. */
  driver(seat: number): string;
  /** @param actions shape [N W], filled where the seat is driven from outside */
  choose(step: number, batch: Batch, actions: ActionArray): Promise<void>;
  release(): Promise<void>;
}

/** One line of output: the start (step 0) or what came of a step. */
export interface RolloutStep {
  readonly step: number;
  /** By seat. */
  readonly observations: readonly (readonly number[])[];
  readonly rewards: readonly number[] | null;
  readonly state: Readonly<Record<string, unknown>>;
  readonly ended: boolean;
  readonly truncated: boolean;
}

/**
 * Steps a batch of one environment, that is reset, to the end of its episode or of the actions there are.
 * @param tell told each step, and what everybody did in it, shape [N W]; null for the start
 * @returns how many further steps there are actions for
 */
export async function playSteps(
  world: World,
  batch: Batch,
  chooser: Chooser,
  tell: (step: RolloutStep, actions: readonly number[] | null) => void,
): Promise<number> {
  const actions = createActions(world, 1);
  tell(stepRecord(world, batch, 0), null);
  for (let step = 0; step < chooser.stepCount; step += 1) {
    await chooser.choose(step, batch, actions);
    await batch.step(actions);
    tell(stepRecord(world, batch, step + 1), jointActions(batch, 0, actions));
    if (batch.ended[0] === 1 || batch.truncated[0] === 1) return chooser.stepCount - step - 1;
  }
  return 0;
}

function stepRecord(world: World, batch: Batch, step: number): RolloutStep {
  const observations: number[][] = Array.from({ length: world.seatCount }, () => []);
  world.groups.forEach(({ seats, observationSize: size }, group) => {
    const seen = new Float64Array(seats.length * size);
    batch.observe(group, seen);
    seats.forEach((seat, index) => (observations[seat] = [...seen.subarray(index * size, (index + 1) * size)]));
  });
  return {
    step,
    observations,
    rewards: step === 0 ? null : [...batch.rewards],
    state: batch.state(0),
    ended: step > 0 && batch.ended[0] === 1,
    truncated: step > 0 && batch.truncated[0] === 1,
  };
}
