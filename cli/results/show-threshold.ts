import type { Column } from '../../learning/results/column.ts';
import { listCurveRows, type CurveRow } from '../../infra/postgres/curve-rows.ts';
import { findExperiment } from '../../infra/postgres/experiment-rows.ts';
import { stepsToThreshold } from '../../learning/measures/learning-curve.ts';
import { arrangedListing, type ListRequest } from './arrange-rows.ts';
import { countText, measureText } from '../../web/documents/quantity-text.ts';
import { groupRows } from '../../learning/results/result-summary.ts';
import { withDatabase } from '../services/service-session.ts';
import { isForPeople } from '../table-formats/index.ts';
import { note, print } from '../terminal/terminal.ts';

/** When a run's held-out return first reached a stated one. */
export interface ThresholdRow {
  readonly variant: string;
  readonly seed: number;
  /** Null where it never did. */
  readonly stepsToThreshold: number | null;
  /** The highest held-out return of its evaluated rounds. */
  readonly highest: number;
}

const COLUMNS: readonly Column<ThresholdRow>[] = [
  { key: 'variant', value: ({ variant }) => variant },
  { key: 'seed', align: 'right', value: ({ seed }) => seed },
  {
    key: 'steps_to_threshold',
    kind: 'count',
    align: 'right',
    value: (row) => row.stepsToThreshold,
    text: (row) => (row.stepsToThreshold === null ? 'never' : countText(Math.round(row.stepsToThreshold))),
  },
  {
    key: 'max_heldout_return',
    kind: 'measure',
    align: 'right',
    value: ({ highest }) => highest,
    text: (row) => measureText(row.highest),
  },
];

type CurvePoint = Pick<CurveRow, 'variant' | 'seed' | 'envSteps' | 'heldoutReturn'>;

/** One row a run, in the order of the curves; runs without a held-out return have none. */
export function thresholdRows(curves: readonly CurvePoint[], threshold: number): ThresholdRow[] {
  const runs = groupRows(
    curves.filter(({ heldoutReturn }) => heldoutReturn !== null),
    ({ variant, seed }) => `${seed} ${variant}`,
  );
  return [...runs.values()].map((rounds) => {
    const curve = rounds.map(({ envSteps, heldoutReturn }) => ({ envSteps, value: heldoutReturn! }));
    const { variant, seed } = rounds[0]!;
    return {
      variant,
      seed,
      stepsToThreshold: stepsToThreshold(curve, threshold),
      highest: Math.max(...curve.map(({ value }) => value)),
    };
  });
}

/** Prints after how many env steps each run's held-out return first reached a stated one. */
export async function showThreshold(id: string, threshold: number, request: ListRequest): Promise<void> {
  await withDatabase(async (database) => {
    const experiment = await findExperiment(database, id);
    const rows = thresholdRows(await listCurveRows(database, experiment.id), threshold);
    print(arrangedListing(COLUMNS, rows, { ...request, pinned: ['variant', 'seed'] }));
    if (isForPeople(request.format))
      note('Between evaluated rounds the curve is taken as straight; evaluate more often to know better.');
  });
}
