import type { PanelName } from '../../schemas/resolved-experiment.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { RoundChoice } from '../../learning/results/round-choice.ts';
import { SHAPES, type ShapeName } from '../../learning/results/shapes/index.ts';
import type { Dimension } from '../../learning/results/shapes/shape.ts';
import type { Arrangement } from './arrange-rows.ts';
import type { TableFormatName } from '../table-formats/index.ts';

/** The options of `thaw results`; what was not given is left out. */
export interface ResultsOptions {
  readonly metric?: readonly string[];
  readonly by?: readonly Dimension[];
  readonly runs?: boolean;
  readonly long?: boolean;
  readonly wide?: boolean;
  readonly fold?: boolean;
  readonly curve?: boolean;
  readonly sensitivity?: boolean;
  readonly threshold?: number;
  readonly per?: 'simulator';
  readonly panel?: PanelName;
  readonly where?: readonly string[];
  readonly sort?: readonly string[];
  readonly columns?: readonly string[];
  readonly round?: RoundChoice;
  readonly spread?: 'std' | 'interval';
  readonly output: TableFormatName;
}

/** What can be shown of an experiment, and which options say something of it beside `where`, `sort`, `columns` and `output`. */
const VIEWS = {
  overview: ['metric', 'by', 'round'],
  runs: ['metric', 'by', 'round'],
  long: ['metric', 'by', 'round'],
  wide: ['metric', 'by', 'round'],
  fold: ['metric', 'by', 'round', 'spread'],
  curve: [],
  sensitivity: [],
  threshold: [],
  'per simulator': ['panel', 'round', 'fold'],
} as const satisfies Record<string, readonly (keyof ResultsOptions)[]>;
type View = keyof typeof VIEWS;

const NARROWING = ['metric', 'by', 'round', 'spread', 'panel'] as const;

/** Which view the options ask for. Columns and an order are of rows: who asks for these gets a row a run. */
export function viewOf(options: ResultsOptions): View {
  if (options.per !== undefined) return 'per simulator';
  if (options.threshold !== undefined) return 'threshold';
  const named = (['curve', 'sensitivity', 'runs', 'long', 'wide', 'fold'] as const).find(
    (name) => options[name] === true,
  );
  if (named !== undefined) return named;
  return options.sort === undefined && options.columns === undefined ? 'overview' : 'runs';
}

/**
 * That every option says something of what is shown.
 * @throws REQUEST_BAD_ARGUMENT naming the option that does not
 */
export function expectFitting(view: View, options: ResultsOptions): void {
  const fitting: readonly string[] = VIEWS[view];
  const useless = NARROWING.find((name) => options[name] !== undefined && !fitting.includes(name));
  if (useless !== undefined) {
    const takers = Object.entries(VIEWS).filter(([, names]) => (names as readonly string[]).includes(useless));
    throw new ThawError('REQUEST_BAD_ARGUMENT', `--${useless} says nothing of what --${view} shows.`, {
      remedy: `Leave one of them out; --${useless} goes with ${takers.map(([name]) => (name === 'overview' ? 'the overview' : `--${name}`)).join(', ')}.`,
    });
  }
  const metrics = options.metric ?? [];
  const takesMany = view in SHAPES && SHAPES[view as ShapeName].takesManyMetrics;
  if (metrics.length > 1 && !takesMany) {
    const many = Object.entries(SHAPES).filter(([, shape]) => shape.takesManyMetrics);
    throw new ThawError(
      'REQUEST_BAD_ARGUMENT',
      `A table by seed and variant shows one metric, not ${metrics.join(', ')}.`,
      {
        remedy: `Ask for one, or for several with ${many.map(([name]) => `--${name}`).join(', ')}.`,
      },
    );
  }
}

/** Shows what the options ask for; the code of a view is loaded when it is. */
export async function showChosen(id: string, options: ResultsOptions): Promise<void> {
  const view = viewOf(options);
  expectFitting(view, options);
  const { where = [], sort = [], columns = [], output: format, round = 'last' } = options;
  const arrangement: Arrangement = { where, sort, columns };
  switch (view) {
    case 'per simulator': {
      const { showSimulatorReturns } = await import('./show-simulator-returns.ts');
      const { panel = null, fold = false } = options;
      return showSimulatorReturns(id, { ...arrangement, panel, round, isFolded: fold, format });
    }
    case 'threshold': {
      const { showThreshold } = await import('./show-threshold.ts');
      return showThreshold(id, options.threshold!, { ...arrangement, format });
    }
    case 'curve': {
      const { showCurve } = await import('./show-curve.ts');
      return showCurve(id, { ...arrangement, format });
    }
    case 'sensitivity': {
      const { showSensitivity } = await import('./show-sensitivity.ts');
      return showSensitivity(id, { ...arrangement, format });
    }
    default: {
      const { DEFAULT_METRIC, showResults } = await import('./show-results.ts');
      const { metric: metrics = [DEFAULT_METRIC], by = ['seed', 'variant'], spread = 'std' } = options;
      return showResults(id, { ...arrangement, shape: view, metrics, by, round, spread, format });
    }
  }
}
