import type { Column } from '../../learning/results/column.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import type { RunSensitivity } from '../../infra/postgres/sensitivity-rows.ts';
import { mean } from '../../learning/statistics/moments.ts';
import { listingText } from '../table-formats/listing.ts';
import { measureText, pluralText } from '../../web/documents/quantity-text.ts';
import { groupRows } from '../../learning/results/result-summary.ts';
import { colorsFor } from '../terminal/terminal.ts';
import { unsweptText } from './unswept-policies.ts';

type Rows = readonly RunSensitivity[];

/** A variant with what its runs have measured. */
interface VariantRows {
  readonly variant: string;
  /** The variant with the number of its runs. */
  readonly title: string;
  readonly runCount: number;
  readonly rows: Rows;
}

/** Sensitivities for people: rules with their factors side by side, then partners with the variants side by side. */
export function sensitivityText(experiment: Pick<ExperimentRecord, 'id' | 'resolved'>, rows: Rows): string {
  const { variants, seeds } = experiment.resolved;
  const names = Object.keys(variants);
  const groups = variantGroups(rows);
  const measured = groups.reduce((sum, { runCount }) => sum + runCount, 0);
  const missing = names.filter((name) => !groups.some(({ variant }) => variant === name));
  const total = pluralText(names.length * seeds.length, 'run');
  return [
    `${experiment.id}  what the last policy depends on, measured at the end of ${measured} of ${total}`,
    ...sensitivityTables(variants, rows),
    ...(missing.length === 0 ? [] : [`Not measured yet: ${missing.join(', ')}.`]),
    ...(groups.length === 0 ? [] : [LEGEND]),
  ].join('\n\n');
}

/** What loss is. */
export const LOSS_LEGEND = [
  'Loss is the share of what was gained over the random policy that is given up: 0 is none, 1 all, below 0 a gain; NaN where',
  'nothing was gained.',
].join('\n');

const LEGEND = [
  'The last policy on what it trained on, with one thing changed: loss (return), means over n runs.',
  LOSS_LEGEND,
  'cliff 2/3: in 2 of 3 runs that change of a rule, which is only ±5 %, costs more than a tenth.',
].join('\n');

/**
 * The tables alone, and which partners were not tried.
 * @param variants those that rows may be of
 */
export function sensitivityTables(variants: ExperimentRecord['resolved']['variants'], rows: Rows): string[] {
  const groups = variantGroups(rows);
  return [...ruleTables(groups), ...partnerTables(groups), ...unsweptLines(variants, groups)];
}

function variantGroups(rows: Rows): VariantRows[] {
  return [...groupRows(rows, ({ variant }) => variant)].map(([variant, own]) => variantRows(variant, own));
}

function variantRows(variant: string, rows: Rows): VariantRows {
  const runs = [...groupRows(rows, ({ seed }) => seed).values()];
  const untrained = runs.filter((own) => own.every(({ loss }) => Number.isNaN(loss))).length;
  const title = `${variant} (n ${runs.length}${untrained === 0 ? '' : `, ${untrained} untrained`})`;
  return { variant, title, runCount: runs.length, rows };
}

interface RuleLine {
  readonly group: VariantRows;
  readonly isFirst: boolean;
  readonly name: string;
  readonly rows: Rows;
}

/** A line for every variant and rule, a column for every factor; none where no rule was changed. */
function ruleTables(groups: readonly VariantRows[]): string[] {
  const rules = groups.map((group) => ({ ...group, rows: group.rows.filter(({ kind }) => kind === 'rule') }));
  const lines = rules.flatMap((group) =>
    [...groupRows(group.rows, ({ name }) => name)].map(([name, rows], index): RuleLine => ({
      group,
      isFirst: index === 0,
      name,
      rows,
    })),
  );
  if (lines.length === 0) return [];
  const factors = [...new Set(lines.flatMap(({ rows }) => rows.map(({ factor }) => factor!)))].sort((a, b) => a - b);
  const columns: Column<RuleLine>[] = [
    { key: 'variant', value: ({ isFirst, group }) => (isFirst ? group.title : '') },
    { key: 'rule', value: ({ name }) => name.replace(/^rules\./, '') },
    ...factors.map((factor): Column<RuleLine> => ({
      key: `×${factor}`,
      align: 'right',
      value: ({ rows, group }) =>
        cellText(
          rows.filter((row) => row.factor === factor),
          group.runCount,
        ),
    })),
  ];
  return [listingText(columns, lines, 'table')];
}

/** A line for every partner, a column for every variant; none where no partner was changed. */
function partnerTables(groups: readonly VariantRows[]): string[] {
  const partners = groupRows(
    groups.flatMap(({ rows }) => rows.filter(({ kind }) => kind === 'partner')),
    ({ name }) => name,
  );
  if (partners.size === 0) return [];
  type Line = readonly [name: string, rows: Rows];
  const columns: Column<Line>[] = [
    { key: 'partner', value: ([name]) => name },
    ...groups.map(({ variant, title, runCount }): Column<Line> => ({
      key: title,
      align: 'right',
      value: ([, rows]) =>
        cellText(
          rows.filter((row) => row.variant === variant),
          runCount,
        ),
    })),
  ];
  return [listingText(columns, [...partners], 'table')];
}

/** Whose partners were exchanged, but not for every policy there is. */
function unsweptLines(variants: ExperimentRecord['resolved']['variants'], groups: readonly VariantRows[]): string[] {
  const swept = groups.filter(({ rows }) => rows.some(({ kind }) => kind === 'partner'));
  const text = unsweptText(Object.fromEntries(swept.map(({ variant }) => [variant, variants[variant]!])));
  return text === null ? [] : [text];
}

/** One change in all runs of a variant. @param runCount runs of the variant; where fewer have the change, their number is told */
function cellText(rows: Rows, runCount: number): string {
  if (rows.length === 0) return '–';
  // A run that learnt nothing has a return, but no loss.
  const loss = mean(rows.map((row) => row.loss).filter((value) => !Number.isNaN(value)));
  const judged = rows.filter(({ isCliff }) => isCliff !== null);
  const cliffs = judged.filter(({ isCliff }) => isCliff === true);
  const { red } = colorsFor(process.stdout);
  const marks = [
    ...(rows.length < runCount ? [`n ${rows.length}`] : []),
    ...(cliffs.length > 0 ? [red(`cliff ${cliffs.length}/${judged.length}`)] : []),
  ];
  // Marks stand before the numbers, so that these stay below each other.
  return [...marks, `${lossText(loss)} (${measureText(mean(rows.map(({ returnMean }) => returnMean)))})`].join(', ');
}

/** A share in hundredths: what is smaller is nothing. */
function lossText(loss: number): string {
  return Math.abs(loss) < 0.005 ? '0.00' : measureText(loss);
}
