import { describe, expect, it } from 'vitest';
import { createOnnxExecutor } from '../../infra/onnx/executor.ts';
import { exportedModel } from '../../infra/onnx/exported-model.ts';
import { loadPolicy } from '../../infra/onnx/policy-model.ts';
import type { ActionSpace } from '../../simulators/contract.ts';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { type ClonedSeat, type CloneOptions, clonePolicy } from './clone-policy.ts';
import { type Demonstrations, splitByEpisode } from './demonstrations.ts';

const executor = createOnnxExecutor();
const OPTIONS: CloneOptions = {
  hiddenSizes: [16],
  learningRate: 3e-3,
  minibatch: 64,
  epochsMax: 60,
  patienceEpochs: 8,
  heldoutShare: 0.25,
  seed: 1,
};
const SEAT: ClonedSeat = { group: 0, isMasked: false };
const EPISODES = 40;
const STEPS = 20;
const DISCRETE: ActionSpace = { kind: 'discrete', count: 3 };
const BOX: ActionSpace = { kind: 'box', low: [-2, 0], high: [2, 1] };

/** Observations of two numbers, far from standardised, and what `act` makes of them. */
function demonstrations(
  space: ActionSpace,
  act: (x: number, y: number, random: RandomStream) => readonly number[],
): Demonstrations {
  const random = new RandomStream(keyFrom(7));
  const seen = Array.from({ length: EPISODES * STEPS }, () => [random.nextNormal(), random.nextNormal()] as const);
  const actions = seen.flatMap(([x, y]) => [...act(x, y, random)]);
  return {
    inputSize: 2,
    space,
    inputs: Float32Array.from(seen.flatMap(([x, y]) => [100 + 20 * x, y / 50])),
    actions: space.kind === 'discrete' ? Int32Array.from(actions) : Float32Array.from(actions),
    masks: null,
    episodes: Int32Array.from(seen, (_, row) => Math.floor(row / STEPS)),
  };
}

const quadrant = (x: number, y: number): readonly number[] => [x > 0 ? 0 : y > 0 ? 1 : 2];

describe('behaviour cloning', () => {
  it('tells held-out actions that follow from what was seen, where frequencies alone do not', async () => {
    const { report } = await clonePolicy(demonstrations(DISCRETE, quadrant), SEAT, OPTIONS, executor);
    expect(report.heldout.accuracy).toBeGreaterThan(0.9);
    expect(report.baseline.accuracy).toBeLessThan(0.6);
    expect(report.heldout.logLikelihood).toBeGreaterThan(report.baseline.logLikelihood + 0.5);
    expect(report).toMatchObject({ heldoutEpisodes: EPISODES / 4, heldoutSamples: (EPISODES / 4) * STEPS });
    expect(report.trainingSamples + report.heldoutSamples).toBe(EPISODES * STEPS);
  });

  it('claims nothing where actions have nothing to do with what was seen, and stops early', async () => {
    const blind = demonstrations(DISCRETE, (_x, _y, random) => [random.nextInteger(3)]);
    const { report } = await clonePolicy(blind, SEAT, OPTIONS, executor);
    expect(report.heldout.logLikelihood).toBeLessThan(report.baseline.logLikelihood + 0.02);
    expect(report.epochs).toBeLessThan(OPTIONS.epochsMax);
    expect(report.epochs - report.keptEpoch).toBe(OPTIONS.patienceEpochs);
  });

  it('fits means and deviations of a box', async () => {
    const steered = demonstrations(BOX, (x, y, random) => [
      Math.min(2, Math.max(-2, x + 0.1 * random.nextNormal())),
      y > 0 ? 0.9 : 0.1,
    ]);
    const { report } = await clonePolicy(steered, SEAT, OPTIONS, executor);
    expect(report.heldout.accuracy).toBeNull();
    expect(report.heldout.rmsError).toBeLessThan(0.5 * report.baseline.rmsError!);
    expect(report.heldout.logLikelihood).toBeGreaterThan(report.baseline.logLikelihood);
  });

  it('is the same again with the same seed, and another with another', async () => {
    const fit = async (seed: number) => {
      const { policy } = await clonePolicy(demonstrations(DISCRETE, quadrant), SEAT, { ...OPTIONS, seed }, executor);
      return policy.weights.values;
    };
    const first = await fit(1);
    expect(await fit(1)).toEqual(first);
    expect(await fit(2)).not.toEqual(first);
  });

  it('leaves as a model that does what was reported', async () => {
    const shown = demonstrations(DISCRETE, quadrant);
    const { policy, report } = await clonePolicy(shown, SEAT, OPTIONS, executor);
    const model = await loadPolicy(exportedModel(policy, {}), 'the clone');
    const { rows } = splitByEpisode(shown, OPTIONS.heldoutShare, OPTIONS.seed).heldout;
    const actor = await model.createActor(rows.length, DISCRETE);
    rows.forEach((row, place) => actor.inputs.set(shown.inputs.subarray(2 * row, 2 * row + 2), 2 * place));
    await actor.forward();
    const hits = [...rows].filter((row, place) => {
      const logits = actor.logits.subarray(3 * place, 3 * place + 3);
      return logits.indexOf(Math.max(...logits)) === shown.actions[row];
    });
    expect(hits.length / rows.length).toBeCloseTo(report.heldout.accuracy!, 12);
    await model.release();
  });

  it('learns what is done among what is legal, where masks were recorded, and does nothing else', async () => {
    const random = new RandomStream(keyFrom(9));
    const masks = Float32Array.from({ length: 3 * EPISODES * STEPS }, (_, at) =>
      at % 3 === 2 ? 1 : random.nextInteger(2),
    );
    const isLegal = (row: number, action: number): boolean => masks[3 * row + action] === 1;
    // The first that is legal; what is seen says nothing of it.
    const plain = demonstrations(DISCRETE, () => [0]);
    const actions = plain.actions.map((_, row) => [0, 1, 2].find((action) => isLegal(row, action))!);
    const shown: Demonstrations = { ...plain, actions: Int32Array.from(actions), masks };
    const { policy, report } = await clonePolicy(shown, { group: 0, isMasked: true }, OPTIONS, executor);
    const unmasked = await clonePolicy({ ...shown, masks: null }, SEAT, OPTIONS, executor);
    expect(report.heldout.accuracy).toBe(1);
    expect(unmasked.report.heldout.accuracy).toBeLessThan(0.7);
    const model = await loadPolicy(exportedModel(policy, {}), 'the clone');
    const actor = await model.createActor(actions.length, DISCRETE);
    actor.inputs.set(shown.inputs);
    actor.masks!.set(masks);
    await actor.forward();
    for (let row = 0; row < actions.length; row += 1) {
      const logits = actor.logits.subarray(3 * row, 3 * row + 3);
      expect(logits.indexOf(Math.max(...logits))).toBe(actions[row]);
    }
    await model.release();
  });

  it('holds whole episodes out', () => {
    const shown = demonstrations(DISCRETE, quadrant);
    const { training, heldout } = splitByEpisode(shown, 0.25, 3);
    const of = (rows: Int32Array) => new Set(Array.from(rows, (row) => shown.episodes[row]!));
    expect([...of(training.rows)].filter((episode) => of(heldout.rows).has(episode))).toEqual([]);
    expect([...of(training.rows), ...of(heldout.rows)].sort((a, b) => a - b)).toEqual([...Array(EPISODES).keys()]);
  });

  it('is refused with a single episode', async () => {
    const shown = demonstrations(DISCRETE, quadrant);
    const one = { ...shown, episodes: new Int32Array(shown.episodes.length) };
    await expect(clonePolicy(one, SEAT, OPTIONS, executor)).rejects.toMatchObject({
      code: 'REQUEST_BAD_ARGUMENT',
      remedy: expect.stringContaining('Record more episodes'),
    });
  });
});
