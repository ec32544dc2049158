import type { Database } from '../../infra/postgres/database.ts';
import { findExperiment, type ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { listResultRows } from '../../infra/postgres/result-rows.ts';
import type { Compared } from '../../web/documents/comparison-warnings.ts';

/** The variants of one or several experiments side by side. */
export interface ComparedExperiments extends Compared {
  readonly experiments: readonly ExperimentRecord[];
}

/**
 * Reads the runs of experiments. Of several, a variant is called EXPERIMENT/VARIANT, so that equal names stay apart; the
 * experiment is then its name, or its id where two versions of one name are compared.
 *
 * @throws REQUEST_UNKNOWN_ID
 */
export async function loadCompared(database: Database, ids: readonly string[]): Promise<ComparedExperiments> {
  const found = new Map<string, ExperimentRecord>();
  for (const id of ids) {
    const experiment = await findExperiment(database, id);
    found.set(experiment.id, experiment);
  }
  const experiments = [...found.values()];
  const rows: Compared['rows'][number][] = [];
  const settings: [string, Compared['settings'][string]][] = [];
  for (const experiment of experiments) {
    const nameOf = variantNaming(experiment, experiments);
    const own = await listResultRows(database, experiment.id);
    rows.push(...own.map((row) => ({ ...row, variant: nameOf(row.variant) })));
    for (const [name, setting] of Object.entries(experiment.resolved.variants)) settings.push([nameOf(name), setting]);
  }
  return { experiments, rows, settings: Object.fromEntries(settings) };
}

function variantNaming(
  { id, name }: ExperimentRecord,
  experiments: readonly ExperimentRecord[],
): (variant: string) => string {
  if (experiments.length === 1) return (variant) => variant;
  const isUnique = experiments.filter((each) => each.name === name).length === 1;
  return (variant) => `${isUnique ? name : id}/${variant}`;
}
