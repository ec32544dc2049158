import { createHash } from 'node:crypto';
import type { ArtifactStore } from '../../infra/artifacts/artifact-store.ts';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { readConfiguration } from '../../infra/configuration.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { findSameImport, type Import, type ImportRecord, insertImport } from '../../infra/postgres/import-rows.ts';
import { chooseStarts, type RecordedStart, type StartRule } from '../../learning/recordings/recorded-starts.ts';
import type { RecordedEpisode } from '../../learning/recordings/recording-reader.ts';
import { recordingText } from '../../learning/recordings/recording-text.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { World } from '../../simulators/contract.ts';
import { formatProblems } from '../../specification/format-problems.ts';
import { contentHash } from '../../specification/identity.ts';
import { createDrawnLine } from '../terminal/drawn-line.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { openNamedWorld } from '../simulators/open-world.ts';
import { programVersion } from '../program-version.ts';
import { withDatabase } from '../services/service-session.ts';
import { note, print } from '../terminal/terminal.ts';
import { clonePartners, type ShownSeat, shownSeats } from './clone-partners.ts';
import { CLONING, IMPORTER_VERSION, type ImportRequest } from './import-request.ts';
import { importText } from './import-text.ts';
import { readRecordingFile } from './read-recording-file.ts';

/**
 * Imports a recording: its states as starts, what its seats did as partners. Everything is checked before anything starts,
 * and rows are written in one transaction, after the files that they name. The same again is found.
 */
export async function importTrajectories(request: ImportRequest): Promise<ExitCode> {
  const world = openNamedWorld(request.family, request.options);
  const read = await readRecordingFile(request.file, world, request.dropKeys);
  if (!read.ok) {
    note(formatProblems(request.file, read.problems));
    if (read.isCutShort) note('\nThere may be more; the rest of the file was not read.');
    return EXIT.request;
  }
  const prepared = prepare(world, read.episodes, request);
  return withDatabase(async (database) => {
    if ((await findSameImport(database, prepared.record)) !== null) {
      print(`import:${request.name} is there already, with the same content. Nothing was done.`);
      return EXIT.done;
    }
    const made = await store(database, world, prepared);
    print(importText(made));
    return EXIT.done;
  });
}

/** Everything of an import but what takes long. */
interface Prepared {
  readonly record: ImportRecord;
  readonly recording: Uint8Array;
  readonly starts: readonly RecordedStart[];
  readonly shown: readonly ShownSeat[];
  readonly seed: number;
}

function prepare(world: World, episodes: readonly RecordedEpisode[], request: ImportRequest): Prepared {
  const { name, claims, seed } = request;
  const rule = request.starts ?? defaultRule(world, episodes);
  const starts = chooseStarts(world, episodes, rule);
  const shown = shownSeats(world, episodes, request.partners);
  if (starts.length === 0 && shown.length === 0) throw nothingToImport(request.file);
  const recording = Buffer.from(recordingText(episodes));
  const recordingHash = createHash('sha256').update(recording).digest('hex');
  const settings = { starts: rule, partners: shown.map(({ seat }) => seat), cloning: { ...CLONING, seed } };
  const { family, version: familyVersion, options: familyOptions } = world;
  const made = { importer: IMPORTER_VERSION, family, familyVersion, familyOptions, recordingHash, settings };
  const record: ImportRecord = {
    name,
    kind: 'trajectories',
    contentHash: contentHash(made),
    family,
    familyVersion,
    familyOptions,
    ...claims,
    importerVersion: IMPORTER_VERSION,
    programVersion: programVersion(),
    settings,
    recordingHash,
    recordingBytes: recording.length,
    episodes: episodes.length,
    steps: episodes.reduce((sum, { steps }) => sum + steps.length - 1, 0),
  };
  return { record, recording, starts, shown, seed };
}

/** The start of every episode, where states are known that a simulator can be given. */
function defaultRule(world: World, episodes: readonly RecordedEpisode[]): StartRule {
  const isKnown = episodes.every(({ steps }) => steps[0]!.state !== null);
  const hasStarts = world.parameters.some(({ path }) => path.startsWith('scenarios.start.'));
  return { kind: isKnown && hasStarts ? 'first' : 'none' };
}

async function store(database: Database, world: World, prepared: Prepared): Promise<Import> {
  const artifacts: ArtifactStore = createFolderStore(readConfiguration(process.env).artifacts);
  const { record, recording, starts, shown, seed } = prepared;
  const line = await createDrawnLine();
  try {
    const options = { ...CLONING, seed };
    const cloned = await clonePartners(world, shown, { options, origin: record }, line.show);
    // Before the rows: whatever they name is there.
    await artifacts.write(recording);
    const partners: Import['partners'][number][] = [];
    for (const { seat, role, model, report } of cloned) {
      const { hash, bytes } = await artifacts.write(model);
      partners.push({ seat, role, artifact: hash, bytes, report });
    }
    const made = { ...record, starts: starts.map((each) => ({ ...each, hash: contentHash(each.start) })), partners };
    await insertImport(database, made);
    return made;
  } finally {
    line.close();
  }
}

function nothingToImport(file: string): ThawError {
  return new ThawError('REQUEST_BAD_ARGUMENT', `${file} holds neither starts nor partners: nothing would come of it.`, {
    remedy: 'Starts need the state of each episode at step 0, partners observations and actions.',
  });
}
