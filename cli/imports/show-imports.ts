import { type Database, type Queryable } from '../../infra/postgres/database.ts';
import {
  deleteImport,
  findImport,
  type Import,
  type ImportSummary,
  listImports,
} from '../../infra/postgres/import-rows.ts';
import type { Column } from '../../learning/results/column.ts';
import { ageText } from '../../web/documents/quantity-text.ts';
import { confirm } from '../terminal/confirm.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { listingText, type ListingFormat } from '../table-formats/listing.ts';
import { unknownName } from '../simulators/open-world.ts';
import { withDatabase } from '../services/service-session.ts';
import { note, print } from '../terminal/terminal.ts';
import { importText, referenceTo } from './import-text.ts';
import { provenanceDocument } from './provenance.ts';

function importColumns(nowMs: number): readonly Column<ImportSummary>[] {
  return [
    { key: 'import', value: ({ name }) => referenceTo(name) },
    { key: 'family', value: ({ family }) => family },
    { key: 'episodes', align: 'right', value: ({ episodes }) => episodes },
    { key: 'starts', align: 'right', value: ({ startCount }) => startCount },
    { key: 'partners', align: 'right', value: ({ partnerCount }) => partnerCount },
    { key: 'licence', value: ({ licence }) => licence },
    { key: 'personal_data', title: 'personal data', value: ({ personalData }) => personalData },
    { key: 'source', value: ({ source }) => source },
    { key: 'experiments', align: 'right', value: ({ experiments }) => experiments.length },
    {
      key: 'created_at',
      title: 'imported',
      value: ({ createdAt }) => createdAt.toISOString(),
      text: ({ createdAt }) => ageText(createdAt, nowMs),
    },
  ];
}

/** Prints what was imported, newest first. */
export async function showImports(format: ListingFormat): Promise<void> {
  const imports = await withDatabase(listImports);
  if (imports.length === 0 && format === 'table') note('Nothing is imported yet; `thaw import trajectories` does it.');
  else print(listingText(importColumns(Date.now()), imports, format));
}

/** Prints one import with its starts and its partners. */
export async function showImport(name: string, format: 'table' | 'json'): Promise<void> {
  const made = await withDatabase((database) => foundImport(database, name));
  print(format === 'json' ? jsonText(provenanceDocument(made), 2) : importText(made));
}

/** Deletes an import: the way back from it. */
export async function deleteImportByName(name: string, isConfirmed: boolean): Promise<ExitCode> {
  return withDatabase(async (database: Database) => {
    const made = await foundImport(database, name);
    const what = `${referenceTo(made.name)} with ${made.starts.length} starts and ${made.partners.length} partners`;
    if (!isConfirmed && !(await confirm(`Delete ${what}?`))) {
      print('Nothing was deleted.');
      return EXIT.done;
    }
    await deleteImport(database, made.name);
    print(`${what}: deleted. \`thaw gc\` frees its files in an hour.`);
    return EXIT.done;
  });
}

/** @param name with or without `import:` @throws REQUEST_BAD_ARGUMENT naming what there is */
async function foundImport(database: Queryable, name: string): Promise<Import> {
  const bare = name.replace(/^import:/, '');
  const found = await findImport(database, bare);
  if (found !== null) return found;
  const known = (await listImports(database)).map((each) => each.name);
  throw unknownName('import', bare, known);
}
