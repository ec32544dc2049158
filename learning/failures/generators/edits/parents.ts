import type { Parameter } from '../../../../simulators/contract.ts';
import { type Failure, failureName, type Mined } from '../../contract.ts';
import type { Parent } from './contract.ts';
import { failingStart } from './failing-start.ts';

// Letters: A actions, N seats, W numbers of an action.

/** Most failures that are kept: what is kept is stored with every decision. */
const PARENTS_MAX = 24;
/** Steps before and after the key moment that count as near it. */
const NEAR_STEPS = 2;

/**
 * What is kept of mined failures: of each group its medoid, then of each group its worst other failure, and so on, so
 * that one mode does not crowd out the others where not all are kept.
 * @param round rounds completed when they were mined
 */
export function parentsOf(mined: Mined, round: number, parameters: readonly Parameter[]): Parent[] {
  const named = mined.failures.map((failure, index) => ({ failure, name: failureName(round, index) }));
  const medoidsFirst = [...named].sort((one, other) => Number(other.failure.isMedoid) - Number(one.failure.isMedoid));
  return inTurns(medoidsFirst, ({ failure }) => failure.group)
    .slice(0, PARENTS_MAX)
    .map(({ failure, name }) => ({
      failure: name,
      name: failure.name,
      simulator: failure.simulator,
      group: failure.group,
      keyMoment: failure.keyMoment,
      start: failingStart(mined.statePaths, failure.states[0]!, parameters),
      actionCounts: actionCountsOf(failure, mined.actionSize, parameters),
    }));
}

/** Items by group, in their order; groups ascending. */
export function grouped<Item>(items: readonly Item[], groupOf: (item: Item) => number): Item[][] {
  const groups = [...new Set(items.map(groupOf))].sort((one, other) => one - other);
  return groups.map((group) => items.filter((item) => groupOf(item) === group));
}

/** The first item of each group, then the second of each that has one, and so on. */
function inTurns<Item>(items: readonly Item[], groupOf: (item: Item) => number): Item[] {
  const groups = grouped(items, groupOf);
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => groups.flatMap((group) => group.slice(turn, turn + 1))).flat();
}

function actionCountsOf(
  { simulator, actions, keyMoment }: Failure,
  actionSize: number,
  parameters: readonly Parameter[],
): Parent['actionCounts'] {
  const near = actions.slice(Math.max(0, keyMoment - NEAR_STEPS), keyMoment + NEAR_STEPS + 1);
  const seats = Object.keys(simulator.partners).filter((seat) => simulator.partners[seat]!.kind === 'scripted');
  return Object.fromEntries(
    seats.map((seat) => {
      const weights = parameters.filter(({ path }) => path.startsWith(`partners.${seat}.action_bias.`));
      const done = near.map((joint) => moveOf(joint, Number(seat), actionSize));
      return [seat, weights.map((_, action) => done.filter((move) => move === action).length)];
    }),
  );
}

/** Which of its A moves a scripted partner made: in a box the one that is done in full. @param joint shape [N W] */
function moveOf(joint: readonly number[], seat: number, actionSize: number): number {
  if (actionSize === 1) return joint[seat]!;
  return joint.slice(seat * actionSize, (seat + 1) * actionSize).indexOf(1);
}
