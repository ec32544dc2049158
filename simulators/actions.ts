import { ThawError } from '../schemas/errors.ts';
import type { ActionArray, Batch, World } from './contract.ts';

/** W: numbers of an action of any seat, 1 where actions are discrete. @throws DEFECT_INVARIANT when seats differ in it */
export function actionSizeOf({ family, groups }: Pick<World, 'family' | 'groups'>): number {
  const sizes = new Set(groups.map(({ actions }) => (actions.kind === 'discrete' ? 1 : actions.low.length)));
  const kinds = new Set(groups.map(({ actions }) => actions.kind));
  if (sizes.size === 1 && kinds.size === 1) return [...sizes][0]!;
  throw new ThawError('DEFECT_INVARIANT', `the seats of ${family} have actions of different kinds or sizes`);
}

/** Room for the actions of all seats of so many environments, shape [B N W], of the kind that the world takes. */
export function createActions(
  world: Pick<World, 'family' | 'groups' | 'seatCount'>,
  environmentCount: number,
): ActionArray {
  const length = environmentCount * world.seatCount * actionSizeOf(world);
  return world.groups[0]!.actions.kind === 'discrete' ? new Int32Array(length) : new Float32Array(length);
}

/**
 * What everybody did in the last step of one environment, shape [N W]: what was given for seats that are driven from
 * outside, and what the batch says of the others.
 * @param given shape [B N W]: what the step was made with
 */
export function jointActions(batch: Batch, environment: number, given: ActionArray): number[] {
  const seatCount = batch.external.length / batch.environmentCount;
  const actionSize = given.length / batch.external.length;
  const first = environment * seatCount;
  return Array.from({ length: seatCount * actionSize }, (_, at) => {
    const isGiven = batch.external[first + Math.floor(at / actionSize)] === 1;
    return (isGiven ? given : batch.actions)[first * actionSize + at]!;
  });
}
