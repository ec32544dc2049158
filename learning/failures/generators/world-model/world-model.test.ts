import { describe, expect, it } from 'vitest';
import { FAILING_SITUATIONS, madeUpMined } from '../../../../test/support/made-up-mined.ts';
import { keyFrom, RandomStream } from '../../../../simulators/random.ts';
import { predictReturn } from './roll-out.ts';
import { type Transition, transitionsOf } from './transitions.ts';
import { createPrediction, fitWorldModel, predictStep, type WorldModel } from './world-model.ts';

const NOISE = 0.05;
const PUSHES = [-0.3, 0, 0.3];

/** A point that is pulled to the origin and pushed by two seats, one an axis; it is paid for its x and pays for its y. */
function linearTransitions(count: number, random: RandomStream): Transition[] {
  return Array.from({ length: count }, () => {
    const state = [random.nextNormal(), random.nextNormal()];
    const actions = [random.nextInteger(PUSHES.length), random.nextInteger(PUSHES.length)];
    const change = state.map((x, axis) => -0.5 * x + PUSHES[actions[axis]!]! + NOISE * random.nextNormal());
    return { state, actions, outcome: [...change, state[0]! - state[1]! + NOISE * random.nextNormal()] };
  });
}

/** Mean over transitions and numbers of the squared error, each number in units of its deviation. */
function meanError(
  model: WorldModel,
  transitions: readonly Transition[],
  predict: (each: Transition) => ArrayLike<number>,
) {
  let sum = 0;
  for (const each of transitions) {
    const predicted = predict(each);
    each.outcome.forEach((value, at) => (sum += ((value - predicted[at]!) / model.outcome.scale[at]!) ** 2));
  }
  return sum / (transitions.length * model.shape.outputs);
}

function predictionOf(model: WorldModel): (each: Transition) => Float64Array {
  const prediction = createPrediction(model);
  return (each) => {
    predictStep(model, each, prediction);
    return prediction.outcome;
  };
}

describe('in a world that is linear in its state', () => {
  const random = new RandomStream(keyFrom(3));
  const model = fitWorldModel(linearTransitions(500, random), PUSHES.length, random);
  const held = linearTransitions(500, random);

  it('what was not seen is predicted nine tenths of the way from "nothing changes" to the noise that nobody predicts', () => {
    const unchanged = meanError(model, held, () => [0, 0, 0]);
    const exact = meanError(model, held, ({ state, actions }) => [
      -0.5 * state[0]! + PUSHES[actions[0]!]!,
      -0.5 * state[1]! + PUSHES[actions[1]!]!,
      state[0]! - state[1]!,
    ]);
    expect(exact).toBeLessThan(unchanged / 10);
    expect(meanError(model, held, predictionOf(model))).toBeLessThan(exact + (unchanged - exact) / 10);
  });

  it('the return of an episode is foretold step by step', () => {
    const actions = held.slice(0, 6).map((each) => each.actions);
    const predict = predictionOf(model);
    let state = held[0]!.state;
    let sum = 0;
    for (const joint of actions) {
      const outcome = predict({ state, actions: joint, outcome: [] });
      state = state.map((value, at) => value + outcome[at]!);
      sum += outcome[2]!;
    }
    expect(predictReturn(model, held[0]!.state, actions)).toBeCloseTo(sum, 12);
  });

  it('a state far from all that were seen moves no faster than the output weights add up to', () => {
    const { hidden, outputs } = model.shape;
    const output = model.weights.subarray(model.weights.length - (hidden + 1) * outputs);
    const outcome = predictionOf(model)({ state: [1e6, -1e6], actions: [0, 2], outcome: [] });
    for (const [at, value] of outcome.entries()) {
      const column = Array.from({ length: hidden + 1 }, (_, unit) => Math.abs(output[unit * outputs + at]!));
      const most = column.reduce((sum, weight) => sum + weight, 0) * model.outcome.scale[at]!;
      expect(Math.abs(value - model.outcome.mean[at]!)).toBeLessThanOrEqual(most);
    }
  });
});

describe('on failures of simple_spread', () => {
  const failuresOf = (seed: number) =>
    madeUpMined(FAILING_SITUATIONS.spread, { episodes: 20, failures: 7, seed }).failures.slice(0, 20);
  const fit = (seed: number) => fitWorldModel(transitionsOf(failuresOf(1)), 5, new RandomStream(keyFrom(seed)));

  it('it predicts other episodes with less than half the error of the mean of those it saw', () => {
    const model = fit(1);
    const held = transitionsOf(failuresOf(2));
    const constant = meanError(model, held, () => model.outcome.mean);
    expect(held.length).toBeGreaterThan(0);
    expect(meanError(model, held, predictionOf(model))).toBeLessThan(constant / 2);
  });

  it('equal seeds give equal weights, others give others', () => {
    expect(fit(2).weights).toEqual(fit(2).weights);
    expect(fit(3).weights).not.toEqual(fit(2).weights);
  });
});

it('a transition is told by where it led and what it paid', () => {
  const [first, second] = transitionsOf([
    { states: [[1, 2], [4, 2], [4, 0]], actions: [[0, 3], [1, 1]], rewards: [-1, 5] }, // prettier-ignore
  ]);
  expect(first).toEqual({ state: [1, 2], actions: [0, 3], outcome: [3, 0, -1] });
  expect(second).toEqual({ state: [4, 2], actions: [1, 1], outcome: [0, -2, 5] });
});
