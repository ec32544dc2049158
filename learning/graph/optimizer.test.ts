import { expect, test } from 'vitest';
import { referenceOutputs } from '../../test/support/reference-executor.ts';
import { graphFromOutputs } from './graph.ts';
import { constant, input, multiply } from './operators.ts';
import { adamRates, adamStep, clippedByNorm } from './optimizer.ts';

test('a gradient longer than the limit is shortened to it, a shorter one is left alone', () => {
  const { gradient, factor, norm } = clippedByNorm(input('gradient', [2]), 0.5);
  const graph = graphFromOutputs({ clipped: multiply(gradient, factor), norm });
  const long = referenceOutputs(graph, { gradient: [3, -4] });
  expect(long['norm']![0]).toBeCloseTo(5, 12);
  expect(long['clipped']![0]).toBeCloseTo(0.3, 6);
  expect(long['clipped']![1]).toBeCloseTo(-0.4, 6);
  const short = referenceOutputs(graph, { gradient: [0.3, -0.25] });
  expect([...short['clipped']!]).toEqual([0.3, -0.25]);
  expect([...referenceOutputs(graph, { gradient: [0, 0] })['clipped']!]).toEqual([0, 0]);
});

/** What the gradient is shortened by. */
const FACTOR = 0.5;

test('three steps of Adam are those of the algorithm in a plain loop', () => {
  const [beta1, beta2, epsilon, learningRate] = [0.9, 0.999, 1e-5, 0.01];
  const scalar = (name: string) => input(name, [1]);
  const next = adamStep(
    {
      parameters: input('theta', [2]),
      firstMoment: input('firstMoment', [2]),
      secondMoment: input('secondMoment', [2]),
    },
    { gradient: input('gradient', [2]), factor: constant(FACTOR), norm: constant(1) },
    { beta1, beta2, stepSize: scalar('stepSize'), epsilon: scalar('epsilon') },
  );
  const graph = graphFromOutputs({ parameters: next.parameters, m: next.firstMoment, v: next.secondMoment });
  let state: Record<string, ArrayLike<number>> = { parameters: [1, -2], m: [0, 0], v: [0, 0] };
  const expected = { parameters: [1, -2], m: [0, 0], v: [0, 0] };
  for (let step = 1; step <= 3; step += 1) {
    const long = [0.5 * step, -0.1 / step];
    const rates = adamRates({ beta1, beta2, epsilon }, learningRate, step);
    state = referenceOutputs(graph, {
      theta: state['parameters']!,
      firstMoment: state['m']!,
      secondMoment: state['v']!,
      gradient: long,
      stepSize: [rates.stepSize],
      epsilon: [rates.epsilon],
    });
    for (const [i, g] of long.map((value) => FACTOR * value).entries()) {
      expected.m[i] = beta1 * expected.m[i]! + (1 - beta1) * g;
      expected.v[i] = beta2 * expected.v[i]! + (1 - beta2) * g * g;
      const ascent = expected.m[i] / (1 - beta1 ** step) / (Math.sqrt(expected.v[i] / (1 - beta2 ** step)) + epsilon);
      expected.parameters[i]! -= learningRate * ascent;
    }
  }
  // Constants of a graph are float32, so 0.999 is met to 1e-8 and what is divided by 1 − 0.999³ to 1e-5.
  for (const i of [0, 1]) {
    expect(state['parameters']![i]).toBeCloseTo(expected.parameters[i]!, 6);
    expect(state['m']![i]).toBeCloseTo(expected.m[i]!, 6);
    expect(state['v']![i]).toBeCloseTo(expected.v[i]!, 6);
  }
});
