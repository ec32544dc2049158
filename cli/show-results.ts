import type { Database } from '../infra/postgres/database.ts';
import { deterministicDigest } from '../infra/postgres/deterministic-digest.ts';
import { findExperiment, type ExperimentRecord } from '../infra/postgres/experiment-rows.ts';
import { listResultRows } from '../infra/postgres/result-rows.ts';
import { jsonText } from './json-text.ts';
import { csvText, type ListingFormat } from './listing.ts';
import { unknownName } from './open-world.ts';
import { METRICS, RESULT_COLUMNS } from '../learning/results/result-columns.ts';
import { resultsDocument, type ResultSet } from '../learning/results/results-document.ts';
import { resultsText, sortedBy, type Dimension } from './results-table.ts';
import { withDatabase } from './service-session.ts';
import { print } from './terminal.ts';

export const DEFAULT_METRIC = 'heldout_return';

export interface ResultsRequest {
  readonly metric: string;
  readonly by: readonly Dimension[];
  readonly format: ListingFormat;
}

/** Prints the results of an experiment. */
export async function showResults(id: string, request: ResultsRequest): Promise<void> {
  if (!METRICS.includes(request.metric)) throw unknownName('metric', request.metric, METRICS);
  await withDatabase(async (database) => {
    const experiment = await findExperiment(database, id);
    print(resultsIn(await loadResults(database, experiment, { digest: request.format === 'json' }), request));
  });
}

/** Everything that results are made of. @param options.digest whether to hash all rows, which reads every episode */
export async function loadResults(
  database: Database,
  experiment: ExperimentRecord,
  { digest }: { digest: boolean },
): Promise<ResultSet> {
  return {
    experiment,
    rows: await listResultRows(database, experiment.id),
    digest: digest ? await deterministicDigest(database, experiment.id) : null,
  };
}

/** The results in one of the three formats. */
export function resultsIn(set: ResultSet, { metric, by, format }: ResultsRequest): string {
  if (format === 'table') return resultsText(set, metric, by);
  const rows = sortedBy(set.rows, by[0] ?? 'variant');
  return format === 'csv' ? csvText(RESULT_COLUMNS, rows) : jsonText(resultsDocument({ ...set, rows }, metric), 2);
}
