import type { Column } from '../../learning/results/column.ts';
import type { PoolMembership, RunLineage } from '../../infra/postgres/lineage-rows.ts';
import { measureText } from '../../web/documents/quantity-text.ts';
import type { SimulatorLife } from '../../web/documents/simulator-lives.ts';
import type { TestDistance } from './test-distances.ts';

type OfRun = Pick<RunLineage, 'variant' | 'seed'>;

const runColumns = <Row extends OfRun>(): Column<Row>[] => [
  { key: 'variant', value: ({ variant }) => variant },
  { key: 'seed', align: 'right', value: ({ seed }) => seed },
];

const hashColumn = <Row>(hashOf: (row: Row) => string): Column<Row> => ({
  key: 'hash',
  value: hashOf,
  text: (row) => shortHash(hashOf(row)),
});

export function shortHash(hash: string): string {
  return hash.slice(0, 8);
}

/** Pools by round: one row for every simulator of every pool. */
export const POOL_COLUMNS: readonly Column<PoolMembership & OfRun>[] = [
  ...runColumns<PoolMembership & OfRun>(),
  { key: 'round', title: 'from round', align: 'right', value: ({ round }) => round },
  { key: 'simulator', value: ({ name }) => name },
  { key: 'weight', align: 'right', value: ({ weight }) => weight, text: ({ weight }) => weight.toFixed(3) },
  { key: 'parents', value: ({ parents }) => parents.join(' ') },
  { key: 'reason', value: ({ reason }) => reason },
  hashColumn(({ simulatorHash }) => simulatorHash),
  { key: 'failure', value: ({ failure }) => failure },
  {
    key: 'contribution',
    align: 'right',
    value: ({ contribution }) => contribution,
    text: ({ contribution }) => measureText(contribution),
  },
];

/** A simulator of a run with what there is to say of it. */
export interface LifeRow extends SimulatorLife, OfRun {
  readonly runId: string;
  /** Null unless it was asked for, or where there is no test panel. */
  readonly nearest: TestDistance | null;
  /** What in it was imported, as specs write it. */
  readonly imports: readonly string[];
}

/** Simulators of runs with everything that is known: one row for each. The first eight are those of the pools by round. */
export const LIFE_COLUMNS: readonly Column<LifeRow>[] = [
  ...runColumns<LifeRow>(),
  { key: 'round', value: ({ stays }) => stays[0]?.entered ?? null },
  { key: 'simulator', value: ({ name }) => name },
  { key: 'weight', value: ({ weight }) => weight },
  { key: 'parents', value: ({ parents }) => parents.join(' ') },
  { key: 'reason', value: ({ reason }) => reason },
  hashColumn(({ hash }) => hash),
  { key: 'failure', value: ({ failure }) => failure },
  { key: 'contribution', value: ({ contribution }) => contribution },
  { key: 'left_round', value: ({ stays }) => stays.at(-1)?.left ?? null },
  { key: 'left_reason', value: ({ exit }) => exit?.reason ?? null },
  { key: 'stays', value: ({ stays }) => stays.length },
  { key: 'episodes', value: ({ taught }) => taught?.episodes ?? 0 },
  { key: 'first_round', value: ({ taught }) => taught?.firstRound ?? null },
  { key: 'last_round', value: ({ taught }) => taught?.lastRound ?? null },
  { key: 'first_return', value: ({ taught }) => taught?.firstReturn ?? null },
  { key: 'last_return', value: ({ taught }) => taught?.lastReturn ?? null },
  { key: 'first_shortfall', value: ({ taught }) => taught?.firstShortfall ?? null },
  { key: 'last_shortfall', value: ({ taught }) => taught?.lastShortfall ?? null },
  { key: 'judged_round', value: ({ judged }) => judged?.round ?? null },
  { key: 'origin', value: ({ judged }) => judged?.origin ?? null },
  { key: 'score', value: ({ judged }) => judged?.score ?? null },
  { key: 'novelty', value: ({ judged }) => judged?.novelty ?? null },
  { key: 'probe_episodes', value: ({ judged }) => judged?.probeEpisodes ?? null },
  { key: 'probe_return', value: ({ judged }) => judged?.probeReturn ?? null },
  { key: 'refusal', value: ({ judged }) => judged?.refusal ?? null },
  { key: 'imports', value: ({ imports }) => imports.join(' ') },
];

/** What comes beside with `--distances`. */
export const DISTANCE_COLUMNS: readonly Column<LifeRow>[] = [
  { key: 'nearest_test', value: ({ nearest }) => nearest?.test ?? null },
  { key: 'test_distance', value: ({ nearest }) => nearest?.distance ?? null },
  { key: 'test_distance_metric', value: ({ nearest }) => nearest?.metric ?? null },
];
