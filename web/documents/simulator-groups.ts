import type { SimulatorReturn } from '../../infra/postgres/simulator-return-rows.ts';
import { groupRows } from '../../learning/results/result-summary.ts';

/** What the runs of a variant got on one simulator. */
export interface SimulatorGroup {
  readonly variant: string;
  readonly panel: SimulatorReturn['panel'];
  /** With the beginning of its content hash where others of the variant's panel have the same name. */
  readonly simulator: string;
  readonly returns: readonly SimulatorReturn[];
}

const HASH_CHARACTERS = 8;

/**
 * Returns by variant, panel and simulator, in the order of the rows. A simulator is its content: what a strategy draws has the same
 * name in every seed, as `zero~1`, and is another simulator in each.
 */
export function simulatorGroups(rows: readonly SimulatorReturn[]): SimulatorGroup[] {
  const named = groupRows(rows, ({ variant, panel, simulator }) => JSON.stringify([variant, panel, simulator]));
  return [...named.values()].flatMap((alike) => {
    const { variant, panel, simulator } = alike[0]!;
    const groups = [...groupRows(alike, ({ simulatorHash }) => simulatorHash)];
    return groups.map(([hash, returns]) => {
      const name = groups.length === 1 ? simulator : `${simulator} ${hash.slice(0, HASH_CHARACTERS)}`;
      return { variant, panel, simulator: name, returns };
    });
  });
}
