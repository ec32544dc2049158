import type { Database } from '../infra/postgres/database.ts';
import { listDiagnosedRuns } from '../infra/postgres/diagnosis-rows.ts';
import { listResultRows } from '../infra/postgres/result-rows.ts';
import { diagnosisDocument } from './diagnosis-document.ts';
import { diagnosisText } from './diagnosis-text.ts';
import { findTarget, type Target } from './find-target.ts';
import { jsonText } from './json-text.ts';
import { unknownName } from './open-world.ts';
import { withDatabase } from './service-session.ts';
import { print } from './terminal.ts';
import { diagnoseVariants, type DiagnosisScope } from './variant-diagnoses.ts';

export interface DiagnosisRequest extends DiagnosisScope {
  readonly format: 'table' | 'json';
}

/** Prints which of the known problems the variants of an experiment have. */
export async function showDiagnosis(id: string, request: DiagnosisRequest): Promise<void> {
  await withDatabase(async (database) => print(await diagnosisOf(database, id, request)));
}

/** The diagnosis of an experiment as it is printed; the id of a run narrows it to that run. */
export async function diagnosisOf(database: Database, id: string, request: DiagnosisRequest): Promise<string> {
  const target = await findTarget(database, id);
  const { experiment } = target;
  const scope = scopeOf(target, request);
  const rows = await listResultRows(database, experiment.id);
  const runs = await listDiagnosedRuns(database, experiment.id);
  const variants = diagnoseVariants({ resolved: experiment.resolved, rows, runs }, scope);
  if (request.format === 'json') return jsonText(diagnosisDocument(experiment, variants), 2);
  return diagnosisText(experiment, variants);
}

/** @throws REQUEST_BAD_ARGUMENT when the experiment has no such variant or seed */
function scopeOf({ experiment, run }: Target, request: DiagnosisRequest): DiagnosisScope {
  const variant = request.variant ?? run?.variant;
  const seed = request.seed ?? run?.seed;
  const { variants, seeds } = experiment.resolved;
  if (variant !== undefined && variants[variant] === undefined) {
    throw unknownName('variant', variant, Object.keys(variants));
  }
  if (seed !== undefined && !seeds.includes(seed)) throw unknownName('seed', String(seed), seeds.map(String));
  return { variant, seed };
}
