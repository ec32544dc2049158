import path from 'node:path';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { readConfiguration } from '../../infra/configuration.ts';
import type { Database } from '../../infra/postgres/database.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { atOneMoment } from '../../infra/postgres/snapshot.ts';
import { bytesText } from '../terminal/bytes-text.ts';
import { createDrawnLine } from '../terminal/drawn-line.ts';
import { findWholeExperiment } from '../runs/find-target.ts';
import { PROVENANCE_FILE, writeProvenance } from '../imports/provenance.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { listingText } from '../table-formats/listing.ts';
import { programVersion } from '../program-version.ts';
import { withDatabase } from '../services/service-session.ts';
import { note, print } from '../terminal/terminal.ts';
import type { ExportSource, WrittenFile } from './export-format.ts';
import { prepareExportFolder, removeStale } from './export-folder.ts';
import { type ExportManifest, writeExportManifest } from './export-manifest.ts';
import { EXPORTED_TABLES } from './exported-tables.ts';
import { type ExportFormatName, TABLE_FORMAT_NAMES } from './format-names.ts';
import { OTHER_FORMATS } from './registry.ts';
import { writeTables } from './write-tables.ts';

export interface ExportRequest {
  readonly ids: readonly string[];
  readonly folder: string;
  readonly formats: readonly ExportFormatName[];
  /** Whether the folder may hold something else. */
  readonly force: boolean;
  readonly output: 'table' | 'json';
}

/** Writes everything that is known of some experiments into a folder, and prints what was written. */
export async function exportExperiments(request: ExportRequest): Promise<void> {
  const folder = path.resolve(request.folder);
  await withDatabase(async (database) => {
    const experiments = await findAll(database, request.ids);
    const earlier = await prepareExportFolder(folder, request);
    const begun = manifestOf(experiments, request.formats);
    // Until the end the folder says that it is not whole, and what may be in it.
    await writeExportManifest(folder, { ...begun, complete: false, files: earlier?.files ?? [] });
    const { files, notes } = await atOneMoment(database, (snapshot) =>
      writeFormats({ snapshot, experiments, folder }, request.formats),
    );
    await removeStale(folder, earlier, files);
    await writeExportManifest(folder, { ...begun, files, notes });
    present(request, { folder, files, notes });
  });
}

async function findAll(database: Database, ids: readonly string[]): Promise<ExperimentRecord[]> {
  const found = new Map<string, ExperimentRecord>();
  for (const id of ids) {
    const { experiment } = await findWholeExperiment(database, id);
    found.set(experiment.id, experiment);
  }
  return [...found.values()];
}

function manifestOf(experiments: readonly ExperimentRecord[], formats: readonly string[]): ExportManifest {
  const hasTables = TABLE_FORMAT_NAMES.some((name) => formats.includes(name));
  const tables = EXPORTED_TABLES.map(({ name, columns }) => [name, columns.map(({ key, kind }) => ({ key, kind }))]);
  return {
    thaw_export: 1,
    complete: true,
    program_version: programVersion(),
    created_at: new Date().toISOString(),
    experiments: experiments.map(({ id, name, version, resultHash }) => ({ id, name, version, hash: resultHash })),
    formats: [...formats],
    tables: hasTables ? (Object.fromEntries(tables) as ExportManifest['tables']) : {},
    files: [],
    notes: [],
  };
}

async function writeFormats(
  where: Pick<ExportSource, 'snapshot' | 'experiments' | 'folder'>,
  formats: readonly ExportFormatName[],
): Promise<{ files: WrittenFile[]; notes: string[] }> {
  const line = await createDrawnLine();
  const notes: string[] = [];
  const source: ExportSource = {
    ...where,
    artifacts: createFolderStore(readConfiguration(process.env).artifacts),
    onProgress: line.show,
    onNote: (text) => void notes.push(text),
  };
  try {
    const files = await writeTables(
      source,
      TABLE_FORMAT_NAMES.filter((name) => formats.includes(name)),
    );
    for (const [name, write] of Object.entries(OTHER_FORMATS)) {
      if (formats.includes(name as ExportFormatName)) files.push(...(await write(source)));
    }
    const ids = source.experiments.map(({ id }) => id);
    const bytes = await writeProvenance(source.folder, source.snapshot, ids);
    if (bytes !== null) files.push({ file: PROVENANCE_FILE, rows: null, bytes });
    return { files, notes };
  } finally {
    line.close();
  }
}

function present(
  { output }: ExportRequest,
  { folder, files, notes }: { folder: string; files: readonly WrittenFile[]; notes: readonly string[] },
): void {
  if (output === 'json') {
    print(jsonText({ folder, files, notes }, 2));
    return;
  }
  const shown = files.length > SHOWN_FILES_MAX ? summed(files) : files;
  print(
    listingText(
      [
        { key: 'file', value: ({ file }) => file },
        { key: 'rows', align: 'right', value: ({ rows }) => rows },
        { key: 'size', align: 'right', value: ({ bytes }) => bytesText(bytes) },
      ],
      shown,
      'table',
    ),
  );
  for (const text of notes) note(`Note: ${text}`);
  note(`\n${files.length} files are in ${folder}`);
}

const SHOWN_FILES_MAX = 60;

/** Files of folders as one line each: a large experiment has thousands of policies. */
function summed(files: readonly WrittenFile[]): WrittenFile[] {
  const lines = new Map<string, WrittenFile>();
  for (const { file, rows, bytes } of files) {
    const name = file.includes('/') ? `${file.slice(0, file.indexOf('/'))}/…` : file;
    const known = lines.get(name) ?? { file: name, rows: null, bytes: 0 };
    lines.set(name, {
      file: name,
      rows: known.rows === null && rows === null ? null : (known.rows ?? 0) + (rows ?? 0),
      bytes: known.bytes + bytes,
    });
  }
  return [...lines.values()];
}
