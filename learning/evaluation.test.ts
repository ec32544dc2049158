import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOnnxExecutor } from '../infra/onnx/executor.ts';
import { evaluationOptions, openSpread, scripted, simulatorOf } from '../test/support/small-learning.ts';
import type { World } from '../simulators/contract.ts';
import type { Learner } from './algorithms/contract.ts';
import { ippo } from './algorithms/ippo.ts';
import { evaluate, type EvaluationOptions, type Player } from './evaluation.ts';
import { mean, sampleStandardDeviation } from './statistics/moments.ts';

const world = openSpread({ agents: 2 });
const plain = { simulator: simulatorOf(world), randomization: {} };
const heavy = { simulator: simulatorOf(world, { rules: { mass: 2 } }), randomization: {} };
const accompanied = { simulator: simulatorOf(world, scripted(1, 'random')), randomization: {} };
const randomized = { simulator: simulatorOf(world), randomization: { 'rules.damping': [0.1, 0.5] as const } };
/** More episodes than are played in one pass. */
const MANY = 150;

let learner: Learner;
/** Of the same run, with weights of its own. */
let other: Learner;
beforeAll(async () => {
  const parameters = ippo.parametersSchema(world).parse({ name: ippo.name });
  const chance = { seed: 5, memberIndex: 0 };
  const setup = { world, learners: [0, 1], parameters, executor: createOnnxExecutor(), updateCount: 1, ...chance };
  learner = await ippo.createLearner(setup);
  other = await ippo.createLearner({ ...setup, memberIndex: 1 });
});
afterAll(() => Promise.all([learner.release(), other.release()]));

const players = {
  deterministic: (): Player => ({ kind: 'policy', learner, mode: 'deterministic' }),
  sampled: (): Player => ({ kind: 'policy', learner, mode: 'sampled' }),
  random: (): Player => ({ kind: 'random' }),
};

const play = (player: Player, changes: Partial<EvaluationOptions> = {}) =>
  evaluate(player, evaluationOptions(world, changes));

/** The same world, which notes the state and the parameters of every episode as it is reset. */
function noting(original: World) {
  const starts: { state: string; parameters: Float64Array }[] = [];
  const createBatch: World['createBatch'] = (environmentCount) => {
    const batch = original.createBatch(environmentCount);
    const reset = batch.reset.bind(batch);
    batch.reset = (environment, parameters, key) => {
      reset(environment, parameters, key);
      starts.push({ state: JSON.stringify(batch.state(environment)), parameters: parameters.slice() });
    };
    return batch;
  };
  return { starts, world: { ...original, createBatch } };
}

describe.each(Object.entries(players))('an evaluation of the %s player', (_name, player) => {
  it('of a simulator does not depend on what is evaluated beside it', async () => {
    const alone = await play(player(), { simulators: [accompanied], episodes: MANY });
    const beside = await play(player(), {
      simulators: [plain, accompanied, randomized, heavy],
      episodes: MANY,
    });
    expect(beside[1]).toEqual(alone[0]);
    expect(beside.map(({ episodes }) => episodes.length)).toEqual([MANY, MANY, MANY, MANY]);
    expect(beside[0]).not.toEqual(beside[3]);
  });

  it('begins with the same episodes however many there are', async () => {
    const [many] = await play(player(), { episodes: MANY });
    const [few] = await play(player(), { episodes: 7 });
    expect(few!.episodes).toEqual(many!.episodes.slice(0, 7));
    expect(new Set(many!.episodes.map((episode) => episode.return)).size).toBe(MANY);
  });

  it('is the same again', async () => {
    expect(await play(player())).toEqual(await play(player()));
  });
});

it('draws other actions when it samples, and others again under another seed', async () => {
  const [deterministic] = await play(players.deterministic());
  const [sampled] = await play(players.sampled());
  const [reseeded] = await play(players.sampled(), { seed: 1 });
  expect(sampled).not.toEqual(deterministic);
  expect(reseeded).not.toEqual(sampled);
});

it('starts episode e in the same state for every policy and simulator', async () => {
  const first = noting(world);
  await evaluate(players.deterministic(), evaluationOptions(first.world, { simulators: [plain, accompanied] }));
  const second = noting(world);
  await evaluate(players.random(), evaluationOptions(second.world, { simulators: [heavy] }));
  const states = (noted: typeof first, from: number) => noted.starts.slice(from, from + 10).map(({ state }) => state);
  expect(states(first, 10)).toEqual(states(first, 0));
  expect(states(second, 0)).toEqual(states(first, 0));
  expect(new Set(states(first, 0)).size).toBe(10);
});

it('draws randomized parameters anew for every episode, and the same for the same episode', async () => {
  const index = world.parameters.findIndex(({ path }) => path === 'rules.damping');
  const { starts, world: noted } = noting(world);
  await evaluate(players.random(), evaluationOptions(noted, { simulators: [randomized, randomized] }));
  const drawn = starts.slice(0, 20).map(({ parameters }) => parameters[index]!);
  const [low, high] = randomized.randomization['rules.damping'];
  expect(drawn.slice(10)).toEqual(drawn.slice(0, 10));
  expect(new Set(drawn).size).toBe(10);
  expect(drawn.every((damping) => damping >= low && damping <= high)).toBe(true);
});

describe('a seat of a trained partner', () => {
  const withPartner = (kind: 'self' | 'trained') => ({
    simulator: { ...plain.simulator, partners: { 1: { kind } } },
    randomization: {},
  });
  const simulators = [plain, withPartner('trained'), withPartner('self')];

  it.each(['deterministic', 'sampled'] as const)('is played by the partner’s policy, %s', async (mode) => {
    const twins = await play({ kind: 'policy', learner, partner: learner, mode }, { simulators, episodes: MANY });
    // Whoever trains itself as its own partner plays with itself.
    expect(twins[1]).toEqual(twins[2]);
    const strangers = await play({ kind: 'policy', learner, partner: other, mode }, { simulators, episodes: MANY });
    expect(strangers[0]).toEqual(twins[0]);
    expect(strangers[1]).not.toEqual(twins[1]);
    expect(strangers[2]).toEqual(twins[2]);
  });

  it('is played at random by a random player', async () => {
    const [everywhere, beside] = await play(players.random(), { simulators, episodes: MANY });
    expect(beside!.episodes).toEqual(everywhere!.episodes);
  });

  it('is a defect where nobody is trained', async () => {
    await expect(play(players.sampled(), { simulators })).rejects.toMatchObject({ code: 'DEFECT_INVARIANT' });
  });
});

it('shows its progress, and ends with all episodes', async () => {
  const seen: number[] = [];
  await play(players.random(), { episodes: MANY, onProgress: (done) => void seen.push(done) });
  expect(seen.length).toBeGreaterThan(1);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(MANY);
});

it('reports length and success of each episode', async () => {
  const start = { agents: [[1, 1], [-1, -1]], landmarks: [[1, 1], [-1, -1]] }; // prettier-ignore
  const noop = { partners: { 0: { kind: 'scripted', name: 'noop' }, 1: { kind: 'scripted', name: 'noop' } } };
  const covered = { simulator: simulatorOf(world, { ...noop, scenarios: { start } }), randomization: {} };
  const apart = { ...start, agents: start.agents.map(([x, y]) => [x! - 0.5, y]) };
  const missed = { simulator: simulatorOf(world, { ...noop, scenarios: { start: apart } }), randomization: {} };
  const [first, second] = await play(players.random(), { simulators: [covered, missed], episodes: 2 });
  expect(first!.episodes).toEqual(
    [0, 1].map(() => ({ return: expect.closeTo(0, 12), length: world.episodeStepsMax, success: true })),
  );
  expect(second!.episodes.every(({ success, return: value }) => !success && value < 0)).toBe(true);
});

it('counts every state in which a learner that is present acts, once for each state feature', async () => {
  const played = await play(players.random(), { simulators: [plain, accompanied], episodes: MANY });
  for (const [index, presentCount] of [2, 1].entries()) {
    const { episodes, visitation } = played[index]!;
    const steps = episodes.reduce((sum, { length }) => sum + length, 0);
    expect(visitation.map((counts) => counts.length)).toEqual(world.features.map(({ bins }) => bins));
    for (const counts of visitation) {
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(presentCount * steps);
    }
  }
});

it('of a random player on the plain rules with three agents is what MPE2 gives', async () => {
  const three = openSpread({ agents: 3 });
  const [played] = await evaluate(players.random(), evaluationOptions(three, { episodes: 1000 }));
  const returns = played!.episodes.map((episode) => episode.return);
  // Measured over 600 episodes of MPE2 1.1.1, which have a mean of −79.9 and a deviation of 25.
  const reference = { mean: -79.9, variance: 25 ** 2 / 600 };
  const standardError = Math.sqrt(sampleStandardDeviation(returns) ** 2 / returns.length + reference.variance);
  expect(Math.abs(mean(returns) - reference.mean)).toBeLessThan(4 * standardError);
});

it('is a defect when an episode outlasts what its family promises', async () => {
  const hasty = { ...world, episodeStepsMax: world.episodeStepsMax - 1 };
  await expect(evaluate(players.random(), evaluationOptions(hasty))).rejects.toThrow(
    expect.objectContaining({ code: 'DEFECT_INVARIANT' }),
  );
});
