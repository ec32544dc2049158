import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ArtifactStore } from '../../infra/artifacts/artifact-store.ts';
import { writeWhole } from '../../infra/artifacts/write-whole.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { listPolicies, type PolicyRow } from '../../infra/postgres/result-rows.ts';
import { ThawError } from '../../schemas/errors.ts';
import { fileNameFrom } from '../files/file-name.ts';
import { writeProvenance } from '../imports/provenance.ts';
import type { ResultSet } from '../../learning/results/results-document.ts';
import { DEFAULT_METRIC, resultsIn } from '../results/show-results.ts';

/**
 * Writes the results of an experiment into a folder: `results.csv`, `results.json`, and every policy as
 * `policies/VARIANT-SEED-GROUP.onnx`; where something imported is part of it, `PROVENANCE.json`. Files of an earlier time are
 * replaced, each whole or not at all; policies that are not of this experiment are removed.
 *
 * @throws WORLD_DISK
 */
export async function writeOutputs(
  folder: string,
  { database, artifacts, results }: { database: Database; artifacts: Pick<ArtifactStore, 'read'>; results: ResultSet },
): Promise<void> {
  const texts = (['csv', 'json'] as const).map((format) => {
    const text = resultsIn(results, { metric: DEFAULT_METRIC, by: ['variant'], format });
    return [`results.${format}`, format === 'csv' ? text : `${text}\n`] as const;
  });
  try {
    await mkdir(path.join(folder, 'policies'), { recursive: true });
    for (const [name, text] of texts) await writeWhole(path.join(folder, name), Buffer.from(text));
    const policies = await listPolicies(database, results.experiment.id);
    for (const policy of policies) {
      await writeWhole(path.join(folder, 'policies', policyFile(policy)), await artifacts.read(policy.hash));
    }
    await writeProvenance(folder, database, [results.experiment.id]);
    await removeOtherPolicies(path.join(folder, 'policies'), new Set(policies.map(policyFile)));
  } catch (error) {
    if (error instanceof ThawError) throw error;
    throw new ThawError('WORLD_DISK', `The results cannot be written to ${folder}: ${(error as Error).message}`, {
      cause: error,
      remedy: 'Make the folder writable, or name another one with `--set output_dir=FOLDER`; `thaw run` writes again.',
    });
  }
}

function policyFile({ variant, seed, group }: PolicyRow): string {
  return fileNameFrom({ name: variant, numbers: [seed, Number(group)], ending: 'onnx' });
}

/** The files that are ours to remove: those of `policyFile`. */
const POLICY_FILE = /^[A-Za-z0-9][A-Za-z0-9._-]*-\d+-\d+\.onnx$/;

/** Policies of variants or seeds that an earlier version of the experiment had would pass for results of this one. */
async function removeOtherPolicies(folder: string, current: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder)) {
    if (POLICY_FILE.test(name) && !current.has(name)) await rm(path.join(folder, name));
  }
}
