import { describe, expect, it } from 'vitest';
import { SITUATIONS } from '../../../test/support/strategy-situation.ts';
import { keyFrom, RandomStream } from '../../../simulators/random.ts';
import { drawSimulator } from '../../strategies/draw-simulator.ts';
import type { EpisodeSample } from '../../rollout/episode-sample.ts';
import { PREDICTED_SCORES, type PredictedScoreName } from './predicted-score.ts';
import { fitPredictor } from './predictor.ts';

const { world, train, ranges } = SITUATIONS.spread;
const { parameters } = world;
const damping = parameters.findIndex(({ path }) => path === 'rules.damping');
const delay = parameters.findIndex(({ path }) => path === 'perturbations.action_delay');

/** A quadratic function of two parameters with a product, largest in the middle of `damping`. */
const planted = (vector: Float64Array) =>
  3 - 40 * (vector[damping]! - 0.3) ** 2 + vector[delay]! * (1 + vector[damping]!);

function drawnVectors(count: number, seed: number): Float64Array[] {
  const random = new RandomStream(keyFrom(seed));
  return Array.from({ length: count }, () =>
    world.compile(drawSimulator(train[0]!.simulator, ranges, parameters, random)),
  );
}

/** Episodes whose score is the planted function and noise of half its width. */
function samplesOf(count: number, told: (value: number) => Partial<EpisodeSample>): EpisodeSample[] {
  const noise = new RandomStream(keyFrom(9));
  return drawnVectors(count, 1).map((vector) => {
    const value = planted(vector) + 2 * (noise.nextUniform() - 0.5);
    return { parameters: vector, return: 0, success: false, shortfall: 0, ...told(value) };
  });
}

const fit = (samples: readonly EpisodeSample[], score: PredictedScoreName = 'shortfall') =>
  fitPredictor({ samples, parameters, randomization: ranges }, score);

/** Share of all pairs that two functions put in the same order. */
function agreement(one: readonly number[], other: readonly number[]): number {
  const pairs = one.flatMap((value, i) => other.slice(0, i).map((_, j) => (value - one[j]!) * (other[i]! - other[j]!)));
  return pairs.filter((product) => product > 0).length / pairs.length;
}

describe('the predictor', () => {
  const unseen = drawnVectors(60, 2);
  const truth = unseen.map(planted);

  it('ranks simulators that were never played as the planted function does', () => {
    const predict = fit(samplesOf(400, (value) => ({ shortfall: value })))!;
    expect(agreement(unseen.map(predict), truth)).toBeGreaterThan(0.9);
  });

  it('ranks those of low returns first when that is asked for', () => {
    const predict = fit(
      samplesOf(400, (value) => ({ return: -value })),
      'low_return',
    )!;
    expect(agreement(unseen.map(predict), truth)).toBeGreaterThan(0.9);
  });

  it('ranks those of even odds first by learnability, and never below 0 nor above 1/4', () => {
    const chance = new RandomStream(keyFrom(4));
    const probability = (vector: Float64Array) => (vector[damping]! - 0.1) / 0.4;
    const samples = drawnVectors(800, 5).map((vector) => ({
      ...{ parameters: vector, return: 0, shortfall: 0 },
      success: chance.nextUniform() < probability(vector),
    }));
    const scores = unseen.map(fit(samples, 'learnability')!);
    const even = unseen.map((vector) => -Math.abs(probability(vector) - 0.5));
    expect(agreement(scores, even)).toBeGreaterThan(0.85);
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...scores)).toBeLessThanOrEqual(0.25);
  });

  it('is null below 64 episodes that tell something', () => {
    const samples = samplesOf(64, (value) => ({ shortfall: value }));
    expect(fit(samples)).not.toBeNull();
    expect(fit(samples.slice(1))).toBeNull();
    for (const unknown of [NaN, Infinity]) {
      expect(
        fit(samples.map((sample, index) => (index === 3 ? { ...sample, shortfall: unknown } : sample))),
      ).toBeNull();
    }
  });

  it('leaves out episodes of which the critic says no number', () => {
    const samples = samplesOf(100, (value) => ({ shortfall: value }));
    const diverged = { ...samples[0]!, shortfall: -Infinity };
    expect(unseen.map(fit([diverged, ...samples])!)).toEqual(unseen.map(fit(samples)!));
  });

  it('is null where all episodes were played in one simulator', () => {
    const [first, ...others] = samplesOf(100, (value) => ({ shortfall: value }));
    expect(fit([first!, ...others.map((sample) => ({ ...sample, parameters: first!.parameters }))])).toBeNull();
  });

  it('does not depend on how many times all episodes are told', () => {
    const samples = samplesOf(80, (value) => ({ shortfall: value }));
    const once = unseen.map(fit(samples)!);
    unseen.map(fit([...samples, ...samples])!).forEach((value, index) => expect(value).toBeCloseTo(once[index]!, 8));
  });
});

describe('every predicted score', () => {
  it.each(Object.entries(PREDICTED_SCORES))('%s is a finite function of an episode and of a prediction', (_, score) => {
    const sample = { parameters: new Float64Array(0), return: -3, success: true, shortfall: 2 };
    expect(Number.isFinite(score.target(sample))).toBe(true);
    for (const predicted of [-5, 0, 0.4, 7]) expect(Number.isFinite(score.rank(predicted))).toBe(true);
  });

  it('is larger for what goes worse, and for even odds', () => {
    const episode = { parameters: new Float64Array(0), return: -3, success: false, shortfall: 2 };
    const { shortfall, low_return: lowReturn, learnability } = PREDICTED_SCORES;
    const rankOf = (score: typeof shortfall | typeof lowReturn, change: Partial<EpisodeSample>) =>
      score.rank(score.target({ ...episode, ...change }));
    expect(rankOf(shortfall, { shortfall: 3 })).toBeGreaterThan(rankOf(shortfall, {}));
    expect(rankOf(lowReturn, { return: -4 })).toBeGreaterThan(rankOf(lowReturn, {}));
    expect([-1, 0, 0.25, 0.5, 1, 2].map((predicted) => learnability.rank(predicted))).toEqual([
      ...[0, 0, 0.25 * 0.75, 0.25, 0, 0],
    ]);
  });
});
