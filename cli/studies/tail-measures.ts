import { mean } from '../../learning/statistics/moments.ts';
import { groupRows } from '../../learning/results/result-summary.ts';
import { type BySeed, valuesBySeed } from './baseline-differences.ts';
import type { StudyRow, StudySimulatorReturn } from './read-results.ts';
import { variantsOf } from './variant-rows.ts';

/** How a test panel calls draws of a generator; its other members are written by hand and have names of their own. */
const DRAW = /^draw_\d+$/;
const QUARTER = 0.25;

/** Something by which variants are compared on held-out simulators. */
export interface TailMeasure {
  readonly title: string;
  /** By variant, in the order of the spec; a variant without any value is not in it. */
  readonly values: ReadonlyMap<string, BySeed>;
}

/** Measures that a run's row has. */
const OF_ROWS: readonly (readonly [metric: string, title: string])[] = [
  ['heldout_return', 'held-out'],
  ['worst_heldout', 'worst'],
  ['cvar_heldout', 'worst tenth'],
];

/** Measures of the returns of a run on the draws of its test panel, or on the others, none of which is empty. */
const OF_PANEL: readonly (readonly [isOfDraws: boolean, title: string, of: (returns: readonly number[]) => number])[] =
  [
    [true, 'draws', mean],
    [true, 'worst quarter of draws', lowestQuarterMean],
    [false, 'named', mean],
    [false, 'worst named', (returns) => Math.min(...returns)],
  ];

/** What tells the tail of a test panel from its mean, of every variant and seed. */
export function tailMeasures(rows: readonly StudyRow[], returns: readonly StudySimulatorReturn[]): TailMeasure[] {
  const variants = variantsOf(rows);
  const measured = (title: string, valuesOf: (variant: (typeof variants)[number]) => BySeed): TailMeasure => {
    const values = variants.map((variant) => [variant.variant, valuesOf(variant)] as const);
    return { title, values: new Map(values.filter(([, bySeed]) => bySeed.size > 0)) };
  };
  return [
    ...OF_ROWS.map(([metric, title]) => measured(title, (variant) => valuesBySeed(variant, metric))),
    ...OF_PANEL.map(([isOfDraws, title, of]) => {
      const own = returns.filter(({ panel, simulator }) => panel === 'test' && DRAW.test(simulator) === isOfDraws);
      return measured(title, ({ variant }) => panelBySeed(own, variant, of));
    }),
  ].filter(({ values }) => values.size > 0);
}

function panelBySeed(
  returns: readonly StudySimulatorReturn[],
  variant: string,
  of: (returns: readonly number[]) => number,
): BySeed {
  const runs = groupRows(
    returns.filter((each) => each.variant === variant),
    ({ seed }) => seed,
  );
  return new Map([...runs].map(([seed, run]) => [seed, of(run.map(({ returnMean }) => returnMean))]));
}

/** Mean of the lowest quarter, of which there is at least one. */
function lowestQuarterMean(returns: readonly number[]): number {
  const ascending = returns.toSorted((a, b) => a - b);
  return mean(ascending.slice(0, Math.ceil(QUARTER * ascending.length)));
}
