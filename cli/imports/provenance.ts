import path from 'node:path';
import { writeWhole } from '../../infra/artifacts/write-whole.ts';
import { findImport, type Import } from '../../infra/postgres/import-rows.ts';
import { listUsedImports } from '../../infra/postgres/used-import-rows.ts';
import type { Queryable } from '../../infra/postgres/database.ts';
import { jsonText } from '../table-formats/json-text.ts';

/** The file that goes with whatever leaves the house and something imported is part of. */
export const PROVENANCE_FILE = 'PROVENANCE.json';

/** Where something imported comes from, and what was made of it: the form of the file and of `import show -o json`. */
export function provenanceDocument(made: Import): Record<string, unknown> {
  return {
    import: made.name,
    kind: made.kind,
    source: made.source,
    licence: made.licence,
    personal_data: made.personalData,
    content_hash: made.contentHash,
    importer_version: made.importerVersion,
    program_version: made.programVersion,
    family: made.family,
    family_version: made.familyVersion,
    family_options: made.familyOptions,
    settings: made.settings,
    recording: {
      sha256: made.recordingHash,
      bytes: made.recordingBytes,
      episodes: made.episodes,
      steps: made.steps,
    },
    starts: made.starts.map(({ name, episode, step, return: value, hash }) => ({
      name,
      episode,
      step,
      return: value,
      sha256: hash,
    })),
    partners: made.partners.map(({ seat, role, artifact, bytes, report }) => ({
      seat,
      role,
      sha256: artifact,
      bytes,
      fitted: {
        training_episodes: report.trainingEpisodes,
        training_samples: report.trainingSamples,
        heldout_episodes: report.heldoutEpisodes,
        heldout_samples: report.heldoutSamples,
        epochs: report.epochs,
        kept_epoch: report.keptEpoch,
        heldout: agreementDocument(report.heldout),
        baseline: agreementDocument(report.baseline),
      },
    })),
  };
}

const agreementDocument = ({ logLikelihood, accuracy, rmsError }: Import['partners'][number]['report']['heldout']) => ({
  log_likelihood: logLikelihood,
  accuracy,
  rms_error: rmsError,
});

/**
 * Writes `PROVENANCE.json` into a folder when some experiments contain something imported.
 * @returns the bytes of the file; null when there is nothing to say
 */
export async function writeProvenance(
  folder: string,
  database: Queryable,
  experimentIds: readonly string[],
): Promise<number | null> {
  const names = await listUsedImports(database, experimentIds);
  if (names.length === 0) return null;
  const imports: Record<string, unknown>[] = [];
  for (const name of names) imports.push(provenanceDocument((await findImport(database, name))!));
  const bytes = Buffer.from(`${jsonText({ experiments: experimentIds, imports }, 2)}\n`);
  await writeWhole(path.join(folder, PROVENANCE_FILE), bytes);
  return bytes.length;
}
