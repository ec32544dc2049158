import { findExperiment } from '../../infra/postgres/experiment-rows.ts';
import { listSimulatorReturns, type SimulatorReturn } from '../../infra/postgres/simulator-return-rows.ts';
import type { Column } from '../../learning/results/column.ts';
import { FOLD_COLUMNS } from '../../learning/results/fold-columns.ts';
import type { MetricFold } from '../../learning/results/metric-fold.ts';
import type { RoundChoice } from '../../learning/results/round-choice.ts';
import { foldValues } from '../../learning/results/values-fold.ts';
import type { PanelName } from '../../schemas/resolved-experiment.ts';
import { countText, measureText } from '../../web/documents/quantity-text.ts';
import { arrangedListing, rowsWhere, type ListRequest } from './arrange-rows.ts';
import { expectEvaluated } from '../../web/documents/expect-evaluated.ts';
import { simulatorGroups } from '../../web/documents/simulator-groups.ts';
import { withDatabase } from '../services/service-session.ts';
import { print } from '../terminal/terminal.ts';

/** Columns of what a run got on one simulator. */
export const SIMULATOR_RETURN_COLUMNS: readonly Column<Omit<SimulatorReturn, 'simulatorHash'>>[] = [
  { key: 'variant', value: ({ variant }) => variant },
  { key: 'seed', align: 'right', value: ({ seed }) => seed },
  { key: 'panel', value: ({ panel }) => panel },
  { key: 'simulator', value: ({ simulator }) => simulator },
  { key: 'checkpoint', value: ({ checkpoint }) => checkpoint },
  { key: 'episodes', align: 'right', value: ({ episodes }) => episodes, text: ({ episodes }) => countText(episodes) },
  {
    key: 'return_mean',
    kind: 'measure',
    align: 'right',
    value: ({ returnMean }) => returnMean,
    text: ({ returnMean }) => measureText(returnMean),
    spread: ({ returnStd }) => returnStd,
  },
  {
    key: 'return_std',
    kind: 'measure',
    align: 'right',
    value: ({ returnStd }) => returnStd,
    text: ({ returnStd }) => measureText(returnStd),
  },
];

/** What the runs of a variant got on one simulator. */
interface FoldedReturn extends MetricFold {
  readonly variant: string;
  readonly panel: PanelName;
  readonly simulator: string;
}

const FOLDED_COLUMNS: readonly Column<FoldedReturn>[] = [
  { key: 'variant', value: ({ variant }) => variant },
  { key: 'panel', value: ({ panel }) => panel },
  { key: 'simulator', value: ({ simulator }) => simulator },
  // How many runs there should be is not known of a simulator: a run's pool has some of them and not others.
  ...FOLD_COLUMNS.filter(({ key }) => key !== 'n_expected'),
];

interface ReturnsRequest extends ListRequest {
  /** Null for all of them. */
  readonly panel: PanelName | null;
  readonly round: RoundChoice;
  /** Over the seeds of each variant. */
  readonly isFolded: boolean;
}

/** Prints what policies of an experiment got on every simulator of a panel, or of all where none is named. */
export async function showSimulatorReturns(id: string, request: ReturnsRequest): Promise<void> {
  const { panel, round, isFolded, where } = request;
  await withDatabase(async (database) => {
    const experiment = await findExperiment(database, id);
    await expectEvaluated(database, experiment, round);
    const rows = await listSimulatorReturns(database, experiment.id, panel, round);
    if (!isFolded) {
      print(arrangedListing(SIMULATOR_RETURN_COLUMNS, rows, { ...request, pinned: ['variant', 'seed', 'simulator'] }));
      return;
    }
    const folded = foldReturns(rowsWhere(SIMULATOR_RETURN_COLUMNS, rows, where));
    print(arrangedListing(FOLDED_COLUMNS, folded, { ...request, where: [], pinned: ['variant', 'simulator'] }));
  });
}

function foldReturns(rows: readonly SimulatorReturn[]): FoldedReturn[] {
  return simulatorGroups(rows).map(({ variant, panel, simulator, returns }) => {
    return { variant, panel, simulator, ...foldValues(returns.map(({ returnMean }) => returnMean)) };
  });
}
