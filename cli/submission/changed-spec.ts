import type { Database } from '../../infra/postgres/database.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { findDocument } from '../../infra/postgres/experiment-update.ts';
import { ThawError } from '../../schemas/errors.ts';
import { applyOverrides } from '../../specification/apply-overrides.ts';
import { formatProblems } from '../../specification/format-problems.ts';
import { usableDevices } from '../../infra/executors.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { resolveExperiment } from '../../specification/resolve.ts';
import { readSpecFiles, type ValidSpec } from '../specs/spec-files.ts';

/** How a stored experiment is to be changed: by a file that says all of it, by settings, or by both. */
export interface AskedChange {
  readonly file?: string | undefined;
  readonly overrides: readonly string[];
}

/** A spec beside the one that it was made from, both as this version reads them. */
export interface ChangedSpec {
  readonly stored: ExperimentRecord['resolved'];
  readonly changed: ValidSpec;
}

/**
 * The spec that a stored experiment would have after a change. Nothing is written.
 * @throws REQUEST_INVALID_SPEC with all that is wrong with it
 * @throws REQUEST_CONFLICT when what is stored no longer says what the experiment is
 */
export async function changedSpec(
  database: Database,
  experiment: ExperimentRecord,
  { file, overrides }: AskedChange,
): Promise<ChangedSpec> {
  const document = await findDocument(database, experiment.id);
  const again = readStored(experiment, document, []);
  const isFaithful = again.ok && isSame(again.experiment, experiment.resolved);
  // Read again, so that a default that was added since is no difference.
  const stored = isFaithful ? again.experiment : experiment.resolved;
  if (file !== undefined) return { stored, changed: await readFileOf(file, overrides) };
  if (!isFaithful) throw unfaithful(experiment);
  const resolution = readStored(experiment, document, overrides);
  if (!resolution.ok) {
    throw new ThawError('REQUEST_INVALID_SPEC', formatProblems(`${experiment.id}, changed`, resolution.problems));
  }
  const { experiment: changed, unavailable, document: written } = resolution;
  // Policies that it names by their hash were stored with it.
  const policies = new Map<string, Uint8Array>();
  return {
    stored,
    changed: { ok: true, file: experiment.sourceFile, document: written, experiment: changed, unavailable, policies },
  };
}

function readStored({ name }: ExperimentRecord, document: unknown, overrides: readonly string[]) {
  return resolveExperiment(document, {
    fileName: name,
    overrides,
    registries: { ...DEFAULT_REGISTRIES, devices: usableDevices() },
  });
}

function isSame(one: ExperimentRecord['resolved'], other: ExperimentRecord['resolved']): boolean {
  return one.result_hash === other.result_hash && JSON.stringify(one.seeds) === JSON.stringify(other.seeds);
}

async function readFileOf(file: string, overrides: readonly string[]): Promise<ValidSpec> {
  const [spec] = await readSpecFiles([file], overrides);
  if (spec?.ok === true) return spec;
  throw new ThawError('REQUEST_INVALID_SPEC', formatProblems(file, spec?.problems ?? []));
}

function unfaithful({ id, sourceFile }: ExperimentRecord): ThawError {
  return new ThawError(
    'REQUEST_CONFLICT',
    `The spec that is stored with ${id} no longer makes the same experiment: it was stored by an earlier version.`,
    {
      remedy: `Go by the file, which was ${sourceFile}: \`thaw resume ${id} --spec FILE\`, or \`thaw submit FILE --set …\` for another experiment.`,
    },
  );
}

/** A document with other seeds. */
export function withSeeds(document: unknown, seeds: readonly number[]): unknown {
  return applyOverrides(document, [`seeds=${JSON.stringify(seeds)}`]).document;
}
