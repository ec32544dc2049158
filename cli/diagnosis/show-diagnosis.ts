import type { Database } from '../../infra/postgres/database.ts';
import { listDiagnosedRuns } from '../../infra/postgres/diagnosis-rows.ts';
import { listResultRows } from '../../infra/postgres/result-rows.ts';
import { diagnosisDocument } from './diagnosis-document.ts';
import { diagnosisText } from './diagnosis-text.ts';
import { findTarget, scopeOf } from '../runs/find-target.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { withDatabase } from '../services/service-session.ts';
import { print } from '../terminal/terminal.ts';
import { diagnoseVariants, type DiagnosisScope } from '../../web/documents/variant-diagnoses.ts';

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
