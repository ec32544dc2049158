import { ThawError } from '../schemas/errors.ts';
import type { ActionArray, World } from './contract.ts';

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
