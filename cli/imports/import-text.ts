import type { Import, ImportedPartner, ImportedStart, ImportRecord } from '../../infra/postgres/import-rows.ts';
import type { Column } from '../../learning/results/column.ts';
import { measureText, pluralText } from '../../web/documents/quantity-text.ts';
import { listingText } from '../table-formats/listing.ts';
import { visibleCell } from '../terminal/visible-text.ts';

/** What specs write for a part of an import. */
export const referenceTo = (name: string, part?: string | number): string =>
  part === undefined ? `import:${name}` : `import:${name}/${part}`;

const SHOWN_STARTS_MAX = 10;

/** An import in words: where it comes from, and what there is to name in specs. */
export function importText(made: Import): string {
  const { name, starts, partners } = made;
  const more = starts.length - SHOWN_STARTS_MAX;
  return [
    `${referenceTo(name)}  ${pluralText(starts.length, 'start')}, ${pluralText(partners.length, 'partner')}`,
    ...factsOf(made).map(([what, text]) => `  ${what.padEnd(13)}  ${visibleCell(text)}`),
    ...(partners.length === 0 ? [] : ['', listingText(partnerColumns(name), partners, 'table')]),
    ...(starts.length === 0 ? [] : ['', listingText(startColumns(name), starts.slice(0, SHOWN_STARTS_MAX), 'table')]),
    ...(more > 0 ? [`… and ${more} more: thaw import show ${name} -o json`] : []),
  ].join('\n');
}

function factsOf(record: ImportRecord): (readonly [what: string, text: string])[] {
  const { family, familyVersion, familyOptions, source, licence, personalData, episodes, steps } = record;
  return [
    ['source', source],
    ['licence', licence],
    ['personal data', personalData],
    ['world', `${family} ${familyVersion} ${JSON.stringify(familyOptions)}`],
    ['recording', `${pluralText(episodes, 'episode')}, ${pluralText(steps, 'step')}; ${record.recordingHash}`],
    ['content', record.contentHash],
    ['importer', `version ${record.importerVersion}, of ${record.programVersion}`],
  ];
}

const number = (value: number | null): string => (value === null ? '–' : measureText(value));

function partnerColumns(name: string): Column<ImportedPartner>[] {
  return [
    { key: 'partner', value: ({ seat }) => referenceTo(name, seat) },
    { key: 'role', value: ({ role }) => role },
    { key: 'fitted to', align: 'right', value: ({ report }) => report.trainingSamples },
    { key: 'held out', align: 'right', value: ({ report }) => report.heldoutSamples },
    { key: 'epochs', align: 'right', value: ({ report }) => report.keptEpoch },
    { key: 'accuracy', align: 'right', value: ({ report }) => number(report.heldout.accuracy) },
    { key: 'by frequency', align: 'right', value: ({ report }) => number(report.baseline.accuracy) },
    { key: 'error', align: 'right', value: ({ report }) => number(report.heldout.rmsError) },
    { key: 'of the mean', align: 'right', value: ({ report }) => number(report.baseline.rmsError) },
    { key: 'nats', align: 'right', value: ({ report }) => number(report.heldout.logLikelihood) },
    { key: 'baseline', align: 'right', value: ({ report }) => number(report.baseline.logLikelihood) },
  ];
}

function startColumns(name: string): Column<ImportedStart>[] {
  return [
    { key: 'start', value: (start) => referenceTo(name, start.name) },
    { key: 'return', align: 'right', value: (start) => number(start.return) },
  ];
}
