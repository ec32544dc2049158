import type { Column } from '../../learning/results/column.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import type { Diagnosis, EvidenceItem } from '../../learning/diagnosis/contract.ts';
import { listingText } from '../table-formats/listing.ts';
import { evidenceNumber, evidenceValue, verdictText } from '../../web/documents/diagnosis-words.ts';
import { measureText, pluralText } from '../../web/documents/quantity-text.ts';
import { colorsFor } from '../terminal/terminal.ts';
import type { VariantDiagnosis } from '../../web/documents/variant-diagnoses.ts';

/** Attempts that ran out of memory may be many; JSON has all. */
const EVIDENCE_SHOWN = 8;

/** Diagnoses for people: a block for every variant. */
export function diagnosisText(
  { id, name, version }: Pick<ExperimentRecord, 'id' | 'name' | 'version'>,
  variants: readonly VariantDiagnosis[],
): string {
  return [`${id}  version ${version} of ${name}`, ...variants.map(variantText)].join('\n\n');
}

function variantText(variant: VariantDiagnosis): string {
  const { bold } = colorsFor(process.stdout);
  const found = variant.diagnoses.filter((diagnosis) => diagnosis.found === 'yes');
  const absent = variant.diagnoses.filter((diagnosis) => diagnosis.found === 'no').map(({ id }) => id);
  const unknown = variant.diagnoses.filter((diagnosis) => diagnosis.found === 'unknown');
  const head = `${bold(variant.variant)}  strategy ${variant.strategyKind}, ${pluralText(variant.rows.length, 'run')}`;
  const lines = [
    verdictText(variant),
    ...found.flatMap(foundLines),
    `Not found: ${absent.join(', ') || 'none'}.`,
    ...(unknown.length === 0
      ? []
      : [`Not known: ${unknown.map(({ id, headline }) => `${id} (${headline.replace(/\.$/, '')})`).join('; ')}.`]),
    ...seenLines(variant),
  ];
  return [head, ...lines.map((line) => `  ${line}`)].join('\n');
}

function foundLines({ id, headline, evidence, remedy }: Diagnosis): string[] {
  const { red } = colorsFor(process.stdout);
  const shown = evidence.slice(0, EVIDENCE_SHOWN);
  const more = evidence.length > shown.length ? [`… and ${evidence.length - shown.length} more`] : [];
  const table = listingText(EVIDENCE_COLUMNS, shown, 'table').split('\n').slice(1);
  return [
    `${red('Found')} ${id}: ${headline}`,
    ...[...table, ...more].map((line) => `    ${line}`),
    `  Remedy: ${remedy}`,
  ];
}

const EVIDENCE_COLUMNS: readonly Column<EvidenceItem>[] = [
  { key: 'what', value: ({ what }) => what },
  { key: 'value', align: 'right', value: evidenceValue },
  { key: 'unit', value: ({ unit }) => unit },
  { key: 'limit', value: ({ limit }) => (limit === undefined ? '' : `limit ${evidenceNumber(limit)}`) },
];

/** What other measures say of the runs: a curve that fell after its best, a rule that a policy stands or falls by. */
function seenLines({ seen }: VariantDiagnosis): string[] {
  const falls = seen
    .filter(({ riseThenFall }) => riseThenFall === true)
    .map(({ seed, fall }) => `seed ${seed}: the held-out return rose, then fell by ${measureText(fall)}`);
  const cliffs = seen.flatMap(({ seed, cliffs: own }) =>
    own.map(({ name, factor, loss }) => {
      const change = factor === null ? name : `${name} × ${factor}`;
      return `seed ${seed}: a cliff, ${change} loses ${Math.round(100 * loss)} % of what was learnt`;
    }),
  );
  const all = [...falls, ...cliffs];
  return all.length === 0 ? [] : [`Also seen: ${all.join('; ')}.`];
}
