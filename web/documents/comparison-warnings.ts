import { metricValue } from '../../learning/results/result-columns.ts';
import type { ResultRow } from '../../learning/results/result-row.ts';
import { groupRows } from '../../learning/results/result-summary.ts';
import type { ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import { testPanelHash } from '../../specification/test-panel.ts';
import { pluralText } from './quantity-text.ts';

/** What is compared. */
export interface Compared {
  /** Runs of all variants, in the order in which these are to appear. */
  readonly rows: readonly ResultRow[];
  /** By the name that the variant has in the rows. */
  readonly settings: Readonly<Record<string, ResolvedVariant>>;
}

/** What a reader must know before believing a comparison: where variants differ in more than what is compared. */
export function comparisonWarnings(compared: Compared, metric: string): string[] {
  return [...settingWarnings(compared, metric), ...versionWarnings(compared), ...valueWarnings(compared, metric)];
}

/** What must be equal for returns to be of one kind, and what it is called. */
const SETTINGS: readonly (readonly [what: string, of: (setting: ResolvedVariant) => string])[] = [
  ['families', ({ family }) => family],
  ['versions of the family', ({ family, family_version: version }) => `${family} ${version}`],
  ['learning seats', ({ learners }) => learners.join(' and ')],
  ['test panels', testPanelText],
  ['env steps', ({ budget }) => String(budget.env_steps)],
  ['which steps a budget counts', ({ budget }) => budget.count],
  ['episodes of the last evaluation', ({ evaluation }) => String(evaluation.final_episodes)],
  ['seeds of evaluation', ({ evaluation }) => String(evaluation.seed)],
  ['how actions are chosen in evaluation', ({ evaluation }) => evaluation.policy_mode],
];

function testPanelText(setting: ResolvedVariant): string {
  const hash = testPanelHash(setting);
  return hash === null ? 'none' : `${hash.slice(0, 8)} (${pluralText(setting.panels.test.length, 'simulator')})`;
}

/** Of variants without a value nothing is compared: a specialist, say, has no test panel and no test return. */
function settingWarnings({ rows, settings }: Compared, metric: string): string[] {
  const measured = new Set(rows.filter((row) => metricValue(row, metric) !== null).map(({ variant }) => variant));
  const compared = Object.entries(settings).filter(([name]) => measured.has(name));
  return SETTINGS.flatMap(([what, of]) =>
    differing(
      what,
      compared.map(([name, setting]) => [name, of(setting)]),
    ),
  );
}

function versionWarnings({ rows }: Compared): string[] {
  const known = rows.flatMap(({ programVersion, variant }) =>
    programVersion === null ? [] : [[variant, programVersion] as const],
  );
  return differing('program versions', known);
}

/** @param values what each of several has, by its name */
function differing(what: string, values: readonly (readonly [name: string, value: string])[]): string[] {
  const groups = [...groupRows(values, ([, value]) => value)];
  if (groups.length < 2) return [];
  const parts = groups.map(([value, group]) => `${value} (${[...new Set(group.map(([name]) => name))].join(', ')})`);
  return [`Not equal are ${what}: ${parts.join('; ')}.`];
}

function valueWarnings({ rows }: Compared, metric: string): string[] {
  const values = rows.map((row) => [row.variant, metricValue(row, metric)] as const);
  const counted = (holds: (value: number | null) => boolean): string | null => {
    const groups = [
      ...groupRows(
        values.filter(([, value]) => holds(value)),
        ([variant]) => variant,
      ),
    ];
    return groups.length === 0 ? null : groups.map(([variant, group]) => `${variant} ${group.length}`).join(', ');
  };
  const missing = counted((value) => value === null);
  const unknown = counted(Number.isNaN);
  const infinite = counted((value) => value === Infinity || value === -Infinity);
  return [
    ...(missing === null ? [] : [`Runs without a ${metric} are left out: ${missing}.`]),
    ...(unknown === null ? [] : [nanText(metric, unknown)]),
    ...(infinite === null ? [] : [`Runs whose ${metric} is infinite: ${infinite}.`]),
  ];
}

function nanText(metric: string, runs: string): string {
  return metric.endsWith('relative_gap')
    ? `Runs that learnt nothing have no ${metric} and are left out, but for the mean: ${runs}.`
    : `Runs whose ${metric} is NaN, and with it all that they enter: ${runs}.`;
}
