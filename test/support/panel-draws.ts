import { drawSimulator, numberAt, setNumberAt } from '../../learning/strategies/draw-simulator.ts';
import type { RandomizationRanges } from '../../learning/strategies/contract.ts';
import type { Parameter, SimulatorData } from '../../simulators/contract.ts';
import { keyFrom, PURPOSE, RandomStream } from '../../simulators/random.ts';

/** What simulators of a panel are drawn from, and how. */
export interface PanelDraws {
  /** The simulator whose ranged parameters are drawn, with all its defaults. */
  readonly parent: SimulatorData;
  readonly ranges: RandomizationRanges;
  readonly parameters: readonly Parameter[];
  /** Names this panel; seeds of experiments are below it. */
  readonly seed: number;
  readonly count: number;
}

/** Draws of a generator that a panel is made of, `draw_01` and so on, with all their numbers. */
export function drawPanel({ parent, ranges, parameters, seed, count }: PanelDraws): Record<string, SimulatorData> {
  const random = new RandomStream(keyFrom(seed, PURPOSE.randomization));
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `draw_${String(index + 1).padStart(2, '0')}`,
      drawSimulator(parent, ranges, parameters, random),
    ]),
  );
}

/** A draw as an experiment file writes it: what its parent says there, and every number that was drawn. */
export function writtenDraw(draw: SimulatorData, writtenParent: SimulatorData, ranges: RandomizationRanges) {
  const written = structuredClone(writtenParent);
  for (const path of Object.keys(ranges)) setNumberAt(written, path, numberAt(draw, path)!);
  return written;
}
