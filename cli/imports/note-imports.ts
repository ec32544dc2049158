import { type ImportSummary, listImports } from '../../infra/postgres/import-rows.ts';
import { pluralText } from '../../web/documents/quantity-text.ts';
import { withRunningDatabase } from '../services/service-session.ts';
import { note } from '../terminal/terminal.ts';
import { referenceTo } from './import-text.ts';

const SHOWN_MAX = 5;

/** Tells what was imported, beside what else there is. */
export function noteImports(imports: readonly ImportSummary[]): void {
  if (imports.length === 0) return;
  const shown = imports.slice(0, SHOWN_MAX).map(({ name, startCount, partnerCount }) => {
    return `${referenceTo(name)} (${pluralText(startCount, 'start')}, ${pluralText(partnerCount, 'partner')})`;
  });
  const more = imports.length - shown.length;
  note(`Imported: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}; \`thaw import list\` tells where from.`);
}

/** Tells what was imported for a family, if services run that know it. */
export async function noteImportsOf(family: string): Promise<void> {
  const imports = await withRunningDatabase(listImports);
  noteImports((imports ?? []).filter((each) => each.family === family));
}
