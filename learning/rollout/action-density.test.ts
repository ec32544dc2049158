import { expect, it } from 'vitest';
import type { ActionSpace } from '../../simulators/contract.ts';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { referenceOutputs } from '../../test/support/reference-executor.ts';
import { gradients } from '../graph/gradients.ts';
import { graphFromOutputs } from '../graph/graph.ts';
import { input, reduceSum, reshape } from '../graph/operators.ts';
import { actionDensity } from './action-density.ts';
import { actionHead } from './action-head.ts';

const ROWS = 6;
const discrete: ActionSpace = { kind: 'discrete', count: 4 };
const box: ActionSpace = { kind: 'box', low: [0, -2], high: [1, 2] };

/** Outputs of a policy, and actions that its head draws from them with their log probabilities. */
function drawn(space: ActionSpace) {
  const head = actionHead(space);
  const { outputSize, actionSize } = head;
  const random = new RandomStream(keyFrom(5));
  const outputs = Float32Array.from({ length: ROWS * outputSize }, () => random.nextNormal());
  const actions = space.kind === 'discrete' ? new Int32Array(ROWS * actionSize) : new Float32Array(ROWS * actionSize);
  const logProbabilities = Array.from({ length: ROWS }, (_, row) =>
    head.sample(outputs, row, random, actions, row * actionSize),
  );
  return { outputs, actions, logProbabilities };
}

function densityOf(space: ActionSpace, isMasked = false) {
  const { outputSize, actionSize } = actionHead(space);
  const outputs = input('outputs', [ROWS, outputSize]);
  const mask = isMasked ? input('mask', [ROWS, outputSize]) : null;
  const actions = space.kind === 'discrete' ? input('actions', [ROWS], 'int32') : input('actions', [ROWS, actionSize]);
  const density = actionDensity(space, outputs, mask);
  const logProbabilities = density.logProbabilities(actions);
  const [ofProbabilities, ofEntropies] = [logProbabilities, density.entropies].map(
    (vector) => gradients(reduceSum(vector), [outputs])[0]!,
  );
  return graphFromOutputs({
    logProbabilities,
    entropies: reshape(density.entropies, [ROWS]),
    ofProbabilities: ofProbabilities!,
    ofEntropies: ofEntropies!,
  });
}

it.each([discrete, box])('the density of an action is what its head said when it was drawn: $kind', (space) => {
  const { outputs, actions, logProbabilities } = drawn(space);
  const found = referenceOutputs(densityOf(space), { outputs, actions })['logProbabilities']!;
  logProbabilities.forEach((expected, row) => expect(found[row]).toBeCloseTo(expected, 5));
});

it('the entropy of a box is that of independent normal distributions', () => {
  const { outputs, actions } = drawn(box);
  const { entropies } = referenceOutputs(densityOf(box), { outputs, actions });
  for (let row = 0; row < ROWS; row += 1) {
    const deviations = [...outputs.subarray(4 * row + 2, 4 * row + 4)].map(Math.exp);
    const expected = deviations.reduce((sum, each) => sum + 0.5 * Math.log(2 * Math.PI * Math.E * each * each), 0);
    expect(entropies![row]).toBeCloseTo(expected, 6);
  }
});

it('an illegal action has no probability, no part in the entropy and no gradient', () => {
  const { outputs, actions } = drawn(discrete);
  // The first action is illegal; whoever drew it draws the second instead.
  const mask = Float32Array.from({ length: ROWS * 4 }, (_, at) => (at % 4 === 0 ? 0 : 1));
  const legal = actions.map((action) => Math.max(1, action));
  const found = referenceOutputs(densityOf(discrete, true), { outputs, mask, actions: legal });
  for (let row = 0; row < ROWS; row += 1) {
    const weights = [1, 2, 3].map((action) => Math.exp(outputs[4 * row + action]!));
    const total = weights.reduce((sum, weight) => sum + weight);
    const entropy = weights.reduce((sum, weight) => sum - (weight / total) * Math.log(weight / total), 0);
    expect(found['entropies']![row]).toBeCloseTo(entropy, 6);
    expect(found['logProbabilities']![row]).toBeCloseTo(Math.log(weights[legal[row]! - 1]! / total), 6);
    expect(found['ofProbabilities']![4 * row]).toBe(0);
    expect(found['ofEntropies']![4 * row]).toBeCloseTo(0, 20);
  }
});
