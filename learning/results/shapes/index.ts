import { FOLD } from './fold.ts';
import { LONG } from './long.ts';
import { RUNS } from './runs.ts';
import type { Shape } from './shape.ts';
import { WIDE } from './wide.ts';

/** Every way to lay out results, by its name on the command line. */
export const SHAPES = { runs: RUNS, long: LONG, wide: WIDE, fold: FOLD } as const satisfies Record<string, Shape>;
export type ShapeName = keyof typeof SHAPES;
