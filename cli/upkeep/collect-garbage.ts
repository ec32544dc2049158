import type { Column } from '../../learning/results/column.ts';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { collectGarbage, GARBAGE_AGE_MS } from '../../infra/artifacts/garbage.ts';
import { readConfiguration } from '../../infra/configuration.ts';
import { type KindOfArtifact, sumArtifacts } from '../../infra/postgres/artifact-references.ts';
import { bytesText } from '../terminal/bytes-text.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { listingText } from '../table-formats/listing.ts';
import { withDatabase } from '../services/service-session.ts';
import { print } from '../terminal/terminal.ts';

const COLUMNS: readonly Column<KindOfArtifact>[] = [
  { key: 'kind', value: ({ kind }) => kind },
  { key: 'files', align: 'right', value: ({ files }) => files },
  { key: 'bytes', title: 'size', align: 'right', value: ({ bytes }) => bytes, text: ({ bytes }) => bytesText(bytes) },
];

/** Removes what no experiment needs, and tells what is kept. */
export async function collectUnneeded(
  format: 'table' | 'json',
  { isDryRun }: { isDryRun: boolean },
): Promise<ExitCode> {
  const { artifacts } = readConfiguration(process.env);
  return withDatabase(async (database) => {
    const { unreferenced, leftOver, tooYoung } = await collectGarbage(database, createFolderStore(artifacts), {
      ageMs: GARBAGE_AGE_MS,
      isDryRun,
    });
    const kept = await sumArtifacts(database);
    if (format === 'json') {
      const [removed, leftOvers] = [unreferenced, leftOver];
      print(
        jsonText(
          { folder: artifacts, kept, is_dry_run: isDryRun, removed, left_overs: leftOvers, too_young: tooYoung },
          2,
        ),
      );
      return EXIT.done;
    }
    const rows = [
      ...kept,
      { kind: 'without a row', ...unreferenced },
      { kind: 'rests of writes', ...leftOver },
      { kind: 'written just now', ...tooYoung },
    ];
    print(listingText(COLUMNS, rows, 'table'));
    const files = unreferenced.files + leftOver.files;
    const amount = `${files} file${files === 1 ? '' : 's'}, ${bytesText(unreferenced.bytes + leftOver.bytes)}`;
    print(isDryRun ? `thaw gc would free ${amount} in ${artifacts}.` : `Freed ${amount} in ${artifacts}.`);
    return EXIT.done;
  });
}
