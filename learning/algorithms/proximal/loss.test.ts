import { expect, test } from 'vitest';
import { referenceOutputs } from '../../../test/support/reference-executor.ts';
import { keyFrom, RandomStream } from '../../../simulators/random.ts';
import { gradients } from '../../graph/gradients.ts';
import { graphFromOutputs } from '../../graph/graph.ts';
import { constant, input, reshape, slice } from '../../graph/operators.ts';
import { actionDensity } from '../../rollout/action-density.ts';
import { LOSS_DIAGNOSTICS, proximalLoss } from './loss.ts';

const [rows, actionCount] = [8, 3];
/** What the old log probability of each sample exceeds the present one by: within the clip, and beyond it on both sides. */
const SHIFTS = [0.05, -1, 0.6, -0.05, -1, 0.6, 0, 0];
const settings = { clip: 0.2, entropyCoefficient: 0.01, valueCoefficient: 0.5, valueClip: 0.3 };
const vector = (name: string, dtype: 'float32' | 'int32' = 'float32') => input(name, [rows], dtype);

const logits = input('logits', [rows, actionCount]);
const values = vector('values');
const density = actionDensity({ kind: 'discrete', count: actionCount }, logits, null);
const { loss, diagnostics } = proximalLoss(
  {
    logProbabilities: density.logProbabilities(vector('actions', 'int32')),
    entropies: density.entropies,
    values,
    oldLogProbabilities: vector('oldLogProbabilities'),
    advantages: vector('advantages'),
    valueTargets: vector('valueTargets'),
    oldValues: vector('oldValues'),
    weights: vector('weights'),
    entropyCoefficient: constant(settings.entropyCoefficient),
  },
  settings,
);
const [logitsGradient, valuesGradient] = gradients(loss, [logits, values]);
const graph = graphFromOutputs({
  loss: reshape(loss, [1]),
  logitsGradient: logitsGradient!,
  valuesGradient: valuesGradient!,
  ...Object.fromEntries(LOSS_DIAGNOSTICS.map((name, index) => [name, slice(diagnostics, 0, index, index + 1)])),
});

/** The last two rows are padding. Beyond the clip, on either side, there is an advantage of either sign. */
function samples() {
  const random = new RandomStream(keyFrom(3));
  const normals = (length: number) => Float64Array.from({ length }, () => random.nextNormal());
  const actions = Int32Array.from({ length: rows }, () => random.nextInteger(actionCount));
  const logits = normals(rows * actionCount);
  return {
    logits,
    actions,
    values: normals(rows),
    valueTargets: normals(rows),
    oldValues: normals(rows),
    advantages: Float64Array.of(1, -1.5, 2, -0.5, 3, -2, 3, -3),
    oldLogProbabilities: Float64Array.from(
      SHIFTS,
      (shift, row) => Math.log(probabilitiesOf(logits, row)[actions[row]!]!) + shift,
    ),
    weights: Float64Array.from({ length: rows }, (_, row) => (row < rows - 2 ? 1 / (rows - 2) : 0)),
  };
}

function probabilitiesOf(logits: Float64Array, row: number): number[] {
  const own = logits.subarray(row * actionCount, (row + 1) * actionCount);
  const total = own.reduce((sum, logit) => sum + Math.exp(logit), 0);
  return [...own].map((logit) => Math.exp(logit) / total);
}

type Samples = ReturnType<typeof samples>;

/** The value of a sample, and where the clip puts it. */
function valuesOf({ values, oldValues }: Samples, row: number): [value: number, clipped: number] {
  const shift = values[row]! - oldValues[row]!;
  const clipped = Math.min(Math.max(shift, -settings.valueClip), settings.valueClip);
  return [values[row]!, oldValues[row]! + clipped];
}

/** The definition, sample by sample. */
function lossByLoop(given: Samples): Record<string, number> {
  const sums = { policy_loss: 0, value_loss: 0, entropy: 0, approximate_kl: 0, clip_fraction: 0 };
  for (let row = 0; row < rows; row += 1) {
    const weight = given.weights[row]!;
    const probabilities = probabilitiesOf(given.logits, row);
    const ratio = probabilities[given.actions[row]!]! / Math.exp(given.oldLogProbabilities[row]!);
    const clipped = Math.min(Math.max(ratio, 1 - settings.clip), 1 + settings.clip);
    const advantage = given.advantages[row]!;
    sums.policy_loss -= weight * Math.min(ratio * advantage, clipped * advantage);
    sums.value_loss +=
      (weight * Math.max(...valuesOf(given, row).map((value) => (value - given.valueTargets[row]!) ** 2))) / 2;
    sums.entropy -= weight * probabilities.reduce((sum, probability) => sum + probability * Math.log(probability), 0);
    sums.approximate_kl += weight * (ratio - 1 - Math.log(ratio));
    sums.clip_fraction += weight * (Math.abs(ratio - 1) > settings.clip ? 1 : 0);
  }
  const { policy_loss, entropy, value_loss } = sums;
  return {
    ...sums,
    loss: policy_loss - settings.entropyCoefficient * entropy + settings.valueCoefficient * value_loss,
  };
}

test('loss and diagnostics are those of a loop over the samples', () => {
  const outputs = referenceOutputs(graph, samples());
  const expected = lossByLoop(samples());
  // Seven places: the coefficients are constants of the graph in single precision.
  for (const [name, value] of Object.entries(expected)) expect(outputs[name]![0], name).toBeCloseTo(value, 7);
  expect(Object.keys(expected).sort()).toEqual(['loss', ...LOSS_DIAGNOSTICS].sort());
  // Otherwise the clip would not have been tested.
  expect(expected['clip_fraction']).toBeGreaterThan(0);
  expect(expected['clip_fraction']).toBeLessThan(1);
});

test.each(['logits', 'values'] as const)('the gradient for the %s is that of finite differences', (name) => {
  const gradient = referenceOutputs(graph, samples())[`${name}Gradient`]!;
  const step = 1e-6;
  gradient.forEach((slope, index) => {
    const lossAt = (shift: number) => {
      const moved = samples();
      moved[name][index]! += shift;
      return lossByLoop(moved)['loss']!;
    };
    expect(slope).toBeCloseTo((lossAt(step) - lossAt(-step)) / (2 * step), 7);
  });
  expect(Math.hypot(...gradient)).toBeGreaterThan(0.1);
});

test('padding has no gradient and changes nothing', () => {
  const disturbed = samples();
  for (const row of [rows - 2, rows - 1]) {
    disturbed.advantages[row] = 1e6;
    disturbed.valueTargets[row] = -1e6;
    disturbed.logits.fill(5, row * actionCount, (row + 1) * actionCount);
  }
  const outputs = referenceOutputs(graph, samples());
  const padded = referenceOutputs(graph, disturbed);
  expect(padded['loss']).toEqual(outputs['loss']);
  expect([...padded['logitsGradient']!.subarray((rows - 2) * actionCount)].every((slope) => slope === 0)).toBe(true);
  expect([...padded['valuesGradient']!.subarray(rows - 2)].every((slope) => slope === 0)).toBe(true);
});
