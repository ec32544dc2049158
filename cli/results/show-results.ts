import type { Database } from '../../infra/postgres/database.ts';
import { deterministicDigest } from '../../infra/postgres/deterministic-digest.ts';
import { findExperiment, type ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { listResultRows } from '../../infra/postgres/result-rows.ts';
import { METRICS } from '../../learning/results/result-columns.ts';
import type { ResultSet } from '../../learning/results/results-document.ts';
import type { RoundChoice } from '../../learning/results/round-choice.ts';
import { expectEvaluated } from '../../web/documents/expect-evaluated.ts';
import type { ListingFormat } from '../table-formats/listing.ts';
import { unknownName } from '../simulators/open-world.ts';
import { withDatabase } from '../services/service-session.ts';
import { shapedResults, type ResultsRequest } from './shaped-results.ts';
import { print } from '../terminal/terminal.ts';

export const DEFAULT_METRIC = 'heldout_return';

/** Prints the results of an experiment. */
export async function showResults(id: string, request: ResultsRequest): Promise<void> {
  const unknown = request.metrics.find((metric) => !METRICS.includes(metric));
  if (unknown !== undefined) throw unknownName('metric', unknown, METRICS);
  await withDatabase(async (database) => {
    const experiment = await findExperiment(database, id);
    await expectEvaluated(database, experiment, request.round);
    const digest = request.format === 'json' && ['overview', 'runs'].includes(request.shape);
    print(shapedResults(await loadResults(database, experiment, { digest, round: request.round }), request));
  });
}

/** Everything that results are made of. @param options.digest whether to hash all rows, which reads every episode */
export async function loadResults(
  database: Database,
  experiment: ExperimentRecord,
  { digest, round = 'last' }: { digest: boolean; round?: RoundChoice },
): Promise<ResultSet> {
  return {
    experiment,
    rows: await listResultRows(database, experiment.id, round),
    digest: digest ? await deterministicDigest(database, experiment.id) : null,
  };
}

/** The results of which nothing particular is asked for. */
export function resultsIn(
  set: ResultSet,
  { metric, by, format }: Pick<ResultsRequest, 'by'> & { readonly metric: string; readonly format: ListingFormat },
): string {
  const plain = { where: [], sort: [], columns: [], shape: 'overview', round: 'last', spread: 'std' } as const;
  return shapedResults(set, { ...plain, metrics: [metric], by, format });
}
