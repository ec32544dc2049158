import { createHash } from 'node:crypto';
import * as ort from 'onnxruntime-node';
import { afterEach, describe, expect, it } from 'vitest';
import { createOnnxExecutor } from '../../infra/onnx/executor.ts';
import { onnxModelFromGraph } from '../../infra/onnx/model.ts';
import type { Experienced, Learner, LearnerSetup, ReplaySegment } from '../../learning/algorithms/contract.ts';
import { ILLEGAL_LOGIT } from '../../learning/algorithms/exported-policy.ts';
import { ALGORITHMS } from '../../learning/algorithms/registry.ts';
import { bytesFromCheckpoint, checkpointFromBytes } from '../../learning/checkpoint.ts';
import { evaluate, type Player } from '../../learning/evaluation.ts';
import { mean, sampleStandardDeviation } from '../../learning/statistics/moments.ts';
import { actionHead } from '../../learning/rollout/action-head.ts';
import { jointSizeOf } from '../../learning/rollout/joint-observer.ts';
import { createRollout, STEP_CONTINUES, STEP_TERMINATED, type Rollout } from '../../learning/rollout/rollout-buffer.ts';
import { trainRound, type TrainingRound } from '../../learning/training.ts';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { FAMILIES } from '../../simulators/registry.ts';
import {
  evaluationOptions,
  openSpread,
  scripted,
  simulatorOf,
  trainingRound,
  weighted,
} from '../support/small-learning.ts';

// What every algorithm promises. An algorithm is tested by being in the registry.

const executor = createOnnxExecutor();
const world = openSpread({ agents: 2 });
/** Names bytes; a failing comparison of the bytes themselves would print all of them. */
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const isConflict = expect.objectContaining({ code: 'REQUEST_CONFLICT' });

it('every registered algorithm has its own name, which is no alias of another', () => {
  const names = Object.values(ALGORITHMS).flatMap(({ name, aliases }) => [name, ...aliases]);
  expect(Object.keys(ALGORITHMS).length).toBeGreaterThan(0);
  expect(Object.values(ALGORITHMS).map(({ name }) => name)).toEqual(Object.keys(ALGORITHMS));
  expect(new Set(names).size).toBe(names.length);
});

/** What is tried of an algorithm beside its defaults: settings that make another learner of it. */
const SETTINGS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  ippo: {
    'a network for each seat': { parameter_sharing: 'none' },
    recurrent: { recurrent: { units: 16, sequence_steps: 10 }, hidden_sizes: [32] },
    'what is seen and rewarded normalised': { observation_normalization: true, reward_normalization: true },
    'gradient descent, warmed up': {
      ...{ optimizer: 'sgd', learning_rate: 0.1, learning_rate_schedule: 'cosine', warmup: 0.1 },
      ...{ entropy_schedule: 'linear', value_clip: 0.2 },
    },
    'in grains': { gradient_grain: 100 },
  },
  mappo: {
    'a network for each seat': { parameter_sharing: 'none' },
    'recurrent, what is seen normalised, in grains': {
      recurrent: { units: 16 },
      ...{ hidden_sizes: [32], observation_normalization: true, gradient_grain: 150 },
    },
  },
  iql: {
    'prioritised replay that wraps around, three steps': {
      ...{ n_step: 3, replay: { capacity: 500, prioritized: {} }, minibatch_size: 64 },
    },
    'a network for each seat': { parameter_sharing: 'none', double: false, loss: 'huber' },
    'a target that jumps, what is seen normalised, rewards as they are': {
      ...{ target_tau: null, observation_normalization: true, reward_normalization: false },
    },
  },
  maddpg: {
    'networks for each seat, prioritised replay that wraps around, what is seen and rewarded normalised': {
      ...{ parameter_sharing: 'none', observation_normalization: true, reward_normalization: true },
      exploration: { initial: 0.2 },
      ...{ hidden_sizes: [32], minibatch_size: 128, replay: { capacity: 500, prioritized: {} } },
    },
  },
};

const cases = Object.values(ALGORITHMS).flatMap((algorithm) =>
  Object.entries({ 'as it is': {}, ...SETTINGS[algorithm.name] }).map(([title, settings]) => ({
    algorithm,
    settings,
    title: `${algorithm.name}, ${title}`,
  })),
);

const zeros = (rows: number, columns: number) =>
  new ort.Tensor('float32', new Float32Array(rows * columns), [rows, columns]);

const bytesOf = (segment: ReplaySegment): Uint8Array => segment.bytes();

/** A segment as it would be read back. */
function stored(segment: ReplaySegment): ReplaySegment {
  const bytes = segment.bytes();
  return { name: segment.name, bytes: () => bytes };
}

describe.each(cases)('$title', ({ algorithm, settings }) => {
  const seats = Array.from({ length: algorithm.learnersMax ?? world.seatCount }, (_, seat) => seat);
  const created: Learner[] = [];

  async function createLearner(changes: Partial<LearnerSetup> = {}, environmentCount = 8): Promise<Learner> {
    const setup = { world, learners: seats, executor, updateCount: 8, seed: 1, memberIndex: 0, ...changes };
    const parameters = algorithm
      .parametersSchema(setup.world)
      .parse({ name: algorithm.name, parallel_environments: environmentCount, ...settings });
    const learner = await algorithm.createLearner({ ...setup, parameters });
    created.push(learner);
    return learner;
  }

  afterEach(() => Promise.all(created.splice(0).map((learner) => learner.release())));

  /** The bytes after each of the given rounds, and what was kept of former blocks by then. */
  async function train(learner: Learner, rounds: readonly number[], changes: Partial<TrainingRound> = {}) {
    const saved: Uint8Array[] = [];
    const replays: (readonly ReplaySegment[])[] = [];
    for (const roundIndex of rounds) {
      await trainRound(trainingRound(world, learner, { learners: seats, ...changes, roundIndex }));
      learner.replay?.seal();
      saved.push(learner.save());
      replays.push((learner.replay?.segments ?? []).map(stored));
    }
    const hashes = saved.map((bytes, round) => hashOf(Buffer.concat([bytes, ...replays[round]!.map(bytesOf)])));
    return { saved, replays, hashes };
  }

  /** Goes on from where a round had ended. */
  async function resume(learner: Learner, { saved, replays }: Awaited<ReturnType<typeof train>>, round: number) {
    await learner.load(saved[round]!);
    expect(hashOf(learner.save())).toBe(hashOf(saved[round]!));
    learner.replay?.restore(replays[round]!);
    expect(hashOf(learner.save())).toBe(hashOf(saved[round]!));
  }

  const STEPS = 6;

  /** Experience of a learner's first group that no world gave. */
  function inventedRollout(learner: Learner, environmentCount = 5): Rollout {
    const policy = learner.policies[0]!;
    const size = { stepCount: STEPS, environmentCount, seats, jointSize: jointSizeOf(world) };
    const rollout = createRollout(policy, size, learner.needs);
    const actionCount = actionHead(policy.actions).outputSize;
    const random = new RandomStream(keyFrom(7));
    const { inputs, rewards, values, nextValues, actions, logProbabilities, ends, learning } = rollout;
    const observed = [rollout.next?.inputs, rollout.joint, rollout.next?.joint].filter(
      (array) => array instanceof Float32Array,
    );
    for (const array of [inputs, rewards, values, nextValues, ...observed])
      array.forEach((_, at) => (array[at] = random.nextNormal()));
    actions.forEach((_, at) => (actions[at] = random.nextInteger(actionCount)));
    logProbabilities.fill(Math.log(1 / actionCount));
    ends.forEach((_, at) => (ends[at] = random.nextInteger(4) === 0 ? STEP_TERMINATED : STEP_CONTINUES));
    learning.fill(1);
    rollout.masks?.fill(1);
    rollout.next?.masks?.fill(1);
    return rollout;
  }

  function experienced(rollout: Rollout): Experienced {
    const environmentCount = rollout.rowCount / rollout.seats.length;
    return { rollouts: [rollout], played: new Int32Array(STEPS * environmentCount), simulators: ['invented'] };
  }

  /** The logits of random inputs under the newest weights, and the inputs. */
  async function actOn(learner: Learner, group: number, rowCount: number) {
    const actor = await learner.createActor(group, rowCount, {
      values: true,
      explores: false,
      environmentCount: rowCount,
    });
    const random = new RandomStream(keyFrom(11));
    actor.masks?.fill(1);
    actor.inputs.forEach((_, at) => (actor.inputs[at] = random.nextNormal()));
    await actor.forward();
    return { inputs: actor.inputs.slice(), logits: actor.logits.slice(), values: actor.values!.slice() };
  }

  it('improves learners whose roles see other things and have another number of actions', async () => {
    const talk = FAMILIES['simple_speaker_listener']!.open({ episode_steps: STEPS });
    const learners = Array.from({ length: algorithm.learnersMax ?? talk.seatCount }, (_, seat) => seat);
    const learner = await createLearner({ world: talk, learners });
    expect(learner.policies.map(({ actions }) => actionHead(actions).outputSize)).toEqual([3, 5]);
    const acted = () => Promise.all(learners.map((group) => actOn(learner, group, 4)));
    const before = await acted();
    for (const roundIndex of [0, 1]) await trainRound(trainingRound(talk, learner, { learners, roundIndex }));
    const after = await acted();
    expect(learner.divergence).toBeNull();
    learners.forEach((group) => expect(after[group]!.logits).not.toEqual(before[group]!.logits));
  });

  it('writes every default of its parameters out, and reads its own output back the same', () => {
    const schema = algorithm.parametersSchema(world);
    const parameters = schema.parse({ name: algorithm.name });
    expect(schema.parse(parameters)).toEqual(parameters);
    expect(parameters).toMatchObject({ name: algorithm.name, rollout_steps: world.episodeStepsMax });
    expect(() => schema.parse({ name: algorithm.name, no_such_parameter: 1 })).toThrow();
  });

  it('gives the same bytes for the same seed, and others for another', async () => {
    const [first, second, other] = [await createLearner(), await createLearner(), await createLearner({ seed: 2 })];
    const { hashes } = await train(first, [0, 1]);
    expect((await train(second, [0, 1])).hashes).toEqual(hashes);
    expect((await train(other, [0, 1], { seed: 2 })).hashes[1]).not.toBe(hashes[1]);
    expect(first.updateIndex).toBe(4);
  });

  it('gives the same bytes however many rows of a minibatch are computed at once', async () => {
    const parameters = algorithm.parametersSchema(world).parse({ name: algorithm.name, parallel_environments: 8 });
    const { minibatchRows, grainRows, chunkRows } = algorithm.gradientRows(parameters, world);
    expect(grainRows).toBeGreaterThanOrEqual(1);
    expect(chunkRows).toBeGreaterThanOrEqual(grainRows);
    expect(minibatchRows).toBeGreaterThanOrEqual(chunkRows);
    const { hashes } = await train(await createLearner(), [0]);
    for (const rows of [chunkRows, Math.ceil(chunkRows / 2), grainRows, 1]) {
      expect((await train(await createLearner({ chunkRows: rows }), [0])).hashes).toEqual(hashes);
    }
  });

  it('gives every member of a run weights and orders of its own', async () => {
    const [first, second] = [await createLearner(), await createLearner({ memberIndex: 1 })];
    expect(hashOf(second.save())).not.toBe(hashOf(first.save()));
    const { saved } = await train(first, [0]);
    const [again, twin] = [await createLearner(), await createLearner({ memberIndex: 1 })];
    const hashes: string[] = [];
    for (const learner of [again, twin]) {
      await learner.load(saved[0]!);
      hashes.push(hashOf(learner.save()));
    }
    expect(hashes[1]).toBe(hashes[0]);
    expect((await train(twin, [1])).hashes).not.toEqual((await train(again, [1])).hashes);
  });

  it('says how it adds up rewards', async () => {
    const { returns } = await createLearner();
    for (const share of [returns.gamma, returns.lambda]) {
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(1);
    }
  });

  it('goes on from a checkpoint byte for byte, in a fresh learner and in one that did something else before', async () => {
    const uninterrupted = await createLearner();
    const trained = await train(uninterrupted, [0, 1, 2]);
    const { hashes } = trained;
    const busy = await createLearner();
    await train(busy, [5], { pool: [weighted(simulatorOf(world, scripted(1, 'noop')))] });
    for (const resumed of [await createLearner(), busy]) {
      await resume(resumed, trained, 0);
      expect((await train(resumed, [1, 2])).hashes).toEqual(hashes.slice(1));
    }
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('can train on a pool whose policies act for other seats than before', async () => {
    const learner = await createLearner();
    const alone = { pool: [weighted(simulatorOf(world, scripted(1, 'noop')))] };
    const trained = await train(learner, [0]);
    const { hashes } = await train(learner, [1], alone);
    const resumed = await createLearner();
    await resume(resumed, trained, 0);
    expect((await train(resumed, [1], alone)).hashes).toEqual(hashes);
  });

  it('acts with the newest weights', async () => {
    const learner = await createLearner();
    const before = await actOn(learner, 0, 4);
    const metrics = await learner.update(experienced(inventedRollout(learner)));
    const after = await actOn(learner, 0, 4);
    expect(after.inputs).toEqual(before.inputs);
    expect(after.logits).not.toEqual(before.logits);
    expect(Object.keys(metrics).length).toBeGreaterThan(0);
    expect(Object.entries(metrics).filter(([, value]) => !Number.isFinite(value))).toEqual([]);
  });

  it('gives everybody who acts arrays of their own, and a policy that left stays as it left', async () => {
    const learner = await createLearner();
    const asked = { values: true, explores: false, environmentCount: 4 };
    const [one, other] = await Promise.all([0, 1].map(() => learner.createActor(0, 4, asked)));
    one!.inputs.fill(1);
    expect(other!.inputs.every((value) => value === 0)).toBe(true);
    await one!.release();
    await other!.forward();
    const { weights } = learner.policyGraph(0);
    const left = weights.values.slice();
    await train(learner, [0]);
    expect(weights.values).toEqual(left);
  });

  it('exports the policy it acts with', async () => {
    const learner = await createLearner();
    await train(learner, [0]);
    for (const { group, inputSize, actions } of learner.policies) {
      const { outputSize } = actionHead(actions);
      const { inputs, logits } = await actOn(learner, group, 7);
      const model = onnxModelFromGraph(learner.policyGraph(group), { dynamicRows: true, metadata: {} });
      const session = await ort.InferenceSession.create(model);
      const remembered = session.inputMetadata.find(({ name }) => name === 'memory');
      const memory = remembered?.isTensor === true ? { memory: zeros(7, Number(remembered.shape[1])) } : {};
      const outputs = await session.run({ observations: new ort.Tensor('float32', inputs, [7, inputSize]), ...memory });
      expect(outputs['logits']!.dims).toEqual([7, outputSize]);
      logits.forEach((logit, at) => {
        const exported = Number(outputs['logits']!.data[at]);
        // What is never done is −∞ here, and a number in graphs.
        if (logit === -Infinity) expect(exported).toBeLessThanOrEqual(ILLEGAL_LOGIT);
        else expect(exported).toBeCloseTo(logit, 5);
      });
      expect(Math.max(...logits) - Math.min(...logits)).toBeGreaterThan(1e-3);
      await session.release();
    }
  });

  it('learns nothing from rows that are not a learner’s, whatever stands in them', async () => {
    const [first, second] = [await createLearner(), await createLearner()];
    const plain = inventedRollout(first);
    const disturbed = inventedRollout(second);
    const { rowCount, inputSize } = plain;
    for (let at = 0; at < plain.learning.length; at += 1) {
      if (at % rowCount > 1) continue;
      plain.learning[at] = disturbed.learning[at] = 0;
      disturbed.inputs.fill(NaN, at * inputSize, (at + 1) * inputSize);
      for (const array of [disturbed.rewards, disturbed.values, disturbed.nextValues, disturbed.logProbabilities]) {
        array[at] = NaN;
      }
      disturbed.actions[at] = 0;
    }
    for (let update = 0; update < 2; update += 1) {
      await first.update(experienced(plain));
      await second.update(experienced(disturbed));
      expect(hashOf(second.save())).toBe(hashOf(first.save()));
    }
    expect(second.divergence).toBeNull();
  });

  it('plays clearly better than at random after a few seconds', async () => {
    const learner = await createLearner({ updateCount: 40 }, 64);
    await trainRound(trainingRound(world, learner, { environmentCount: 64, updateCount: 40 }));
    const play = async (player: Player) =>
      (await evaluate(player, evaluationOptions(world, { episodes: 128 })))[0]!.episodes.map(
        (episode) => episode.return,
      );
    const random = await play({ kind: 'random' });
    const learnt = await play({ kind: 'policy', learner, mode: 'deterministic' });
    const gains = learnt.map((value, episode) => value - random[episode]!);
    const standardError = sampleStandardDeviation(gains) / Math.sqrt(gains.length);
    // Returns are costs: a tenth of what chance loses is a gain that no luck explains.
    expect(mean(gains)).toBeGreaterThan(Math.max(6 * standardError, 0.1 * Math.abs(mean(random))));
  });

  it('says when its weights have diverged', async () => {
    const learner = await createLearner();
    const rollout = inventedRollout(learner);
    rollout.rewards.fill(Infinity);
    expect(learner.divergence).toBeNull();
    await learner.update(experienced(rollout));
    expect(learner.divergence).not.toBeNull();
  });

  it('refuses the checkpoint of other networks or of another algorithm, and stays as it was', async () => {
    const learner = await createLearner();
    const own = learner.save();
    const larger = await createLearner({
      world: openSpread({ agents: 3 }),
      learners: [0, 1, 2].slice(0, seats.length),
    });
    const { header, arrays } = checkpointFromBytes(own);
    const foreign = bytesFromCheckpoint({ header: { ...header, algorithm: 'another' }, arrays });
    const incomplete = bytesFromCheckpoint({ header, arrays: {} });
    for (const bytes of [larger.save(), foreign, incomplete]) {
      expect(() => learner.load(bytes)).toThrow(isConflict);
      expect(hashOf(learner.save())).toBe(hashOf(own));
    }
  });

  it('takes up nothing of a checkpoint that lacks something', async () => {
    const [learner, source] = [await createLearner(), await createLearner()];
    const own = learner.save();
    await train(source, [0]);
    const { header, arrays } = checkpointFromBytes(source.save());
    const refused: string[] = [];
    for (const lacking of Object.keys(arrays)) {
      const others = Object.entries(arrays).filter(([name]) => name !== lacking);
      const loading = (async () => learner.load(bytesFromCheckpoint({ header, arrays: Object.fromEntries(others) })))();
      const isRefused = await loading.then(
        () => false,
        () => true,
      );
      if (isRefused) refused.push(lacking);
      if (isRefused) expect(hashOf(learner.save())).toBe(hashOf(own));
      else await learner.load(own);
    }
    // Simulators whose rewards were seen are as many as there were.
    const isOfRewards = (name: string): boolean => /(^|\.)rewards\./.test(name);
    expect(Object.keys(arrays).filter((name) => !refused.includes(name) && !isOfRewards(name))).toEqual([]);
  });
});
