import type { SimulatorData } from '../../../../simulators/contract.ts';
import type { RandomStream } from '../../../../simulators/random.ts';
import { setNumberAt } from '../../../strategies/draw-simulator.ts';
import { editSimulator, type Movable, movablesOf, steppedValue } from '../../../strategies/edit-simulator.ts';
import type { Edit } from './contract.ts';

/**
 * Ranged numbers, those of partners included, are moved by one step to where returns are predicted to be lower. Without
 * a predictor some of them are moved at random, as edits of `adaptive` do.
 */
export const rules: Edit = {
  summary: 'Ranged numbers are moved to where returns are predicted to be lower.',
  apply({ simulator, name }, { randomization: ranges, parameters, compile, predict, scale }, random) {
    const options = { ranges, parameters, scale };
    if (predict === null) {
      const edited = editSimulator(simulator, options, random);
      return edited && { simulator: edited, origin: `ranged numbers of ${name} moved at random` };
    }
    const badness = (each: SimulatorData) => predict(compile(each));
    const edited = climbed(simulator, movablesOf(simulator, options), badness, random);
    return (
      edited && { simulator: edited, origin: `ranged numbers of ${name} moved to where it is predicted to go worse` }
    );
  },
};

/**
 * One step of coordinate ascent: in random order, each number goes one step up or down, whichever is predicted to be
 * worse, given those moved before it; it stays where neither is worse. Once one has moved, each of the others is tried
 * with probability ½, so that one parent has several children.
 * @returns null where no step makes the prediction worse
 */
function climbed(
  simulator: SimulatorData,
  movables: readonly Movable[],
  badness: (simulator: SimulatorData) => number,
  random: RandomStream,
): SimulatorData | null {
  let best = withSteps(simulator, movables, 0);
  let worst = badness(best);
  let isMoved = false;
  for (const movable of inRandomOrder(movables, random)) {
    if (isMoved && random.nextUniform() < 0.5) continue;
    for (const stepped of [-1, 1].map((direction) => withSteps(best, [movable], direction))) {
      const predicted = badness(stepped);
      if (!(predicted > worst)) continue;
      [best, worst, isMoved] = [stepped, predicted, true];
    }
  }
  return isMoved ? best : null;
}

function withSteps(simulator: SimulatorData, movables: readonly Movable[], steps: number): SimulatorData {
  const copy = structuredClone(simulator);
  for (const movable of movables) setNumberAt(copy, movable.path, steppedValue(movable, steps));
  return copy;
}

function inRandomOrder(movables: readonly Movable[], random: RandomStream): Movable[] {
  const order = Int32Array.from(movables.keys());
  random.shuffle(order);
  return Array.from(order, (index) => movables[index]!);
}
