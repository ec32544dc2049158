import type { Parameter, SimulatorData } from '../../../../simulators/contract.ts';
import type { RandomStream } from '../../../../simulators/random.ts';
import { numberAt, setNumberAt } from '../../../strategies/draw-simulator.ts';
import { clipParameter } from './clip-parameter.ts';
import type { Edit } from './contract.ts';
import { drawDirichlet } from './dirichlet.ts';

// Letters: A actions, α = 1.

/** How much every action counts that was never seen. */
const PRIOR = 1;

/**
 * Scripted partners do more often what they did at the key moment: the weights of their random actions are drawn from
 * Dirichlet(α + counts), scaled so that the largest is the most a weight may be, and ε from [ε, ε + (1 − ε) / 2]. A
 * partner that has no ε, such as one that is random throughout, gets only the weights.
 */
export const partner: Edit = {
  summary: 'Scripted partners do more often what they did at the key moment.',
  apply({ simulator, actionCounts, name, keyMoment }, { parameters }, random) {
    const copy = structuredClone(simulator);
    const byPath = new Map(parameters.map((parameter) => [parameter.path, parameter]));
    const changed = Object.keys(actionCounts).filter((seat) => {
      const isBiased = biasActions(copy, seat, actionCounts[seat]!, byPath, random);
      return raiseEpsilon(copy, byPath.get(`partners.${seat}.epsilon`), random) || isBiased;
    });
    if (changed.length === 0) return null;
    return {
      simulator: copy,
      origin: `partners do more of what they did near step ${keyMoment} of a failure in ${name}`,
    };
  },
};

/** @returns whether the partner has weights */
function biasActions(
  simulator: SimulatorData,
  seat: string,
  counts: readonly number[],
  byPath: ReadonlyMap<string, Parameter>,
  random: RandomStream,
): boolean {
  const paths = counts.map((_, action) => `partners.${seat}.action_bias.${action}`);
  const biases = paths.map((path) => byPath.get(path));
  const hasAll = paths.every((path, action) => biases[action] !== undefined && numberAt(simulator, path) !== undefined);
  if (!hasAll || paths.length === 0) return false;
  const shares = drawDirichlet(
    counts.map((count) => PRIOR + count),
    random,
  );
  const largest = Math.max(...shares);
  for (const [action, path] of paths.entries()) {
    const bias = biases[action]!;
    setNumberAt(simulator, path, clipParameter(bias, (bias.high * shares[action]!) / largest));
  }
  return true;
}

/** @returns whether the partner has an ε */
function raiseEpsilon(simulator: SimulatorData, epsilon: Parameter | undefined, random: RandomStream): boolean {
  const before = epsilon === undefined ? undefined : numberAt(simulator, epsilon.path);
  if (epsilon === undefined || before === undefined) return false;
  const raised = before + ((epsilon.high - before) / 2) * random.nextUniform();
  setNumberAt(simulator, epsilon.path, clipParameter(epsilon, raised));
  return true;
}
