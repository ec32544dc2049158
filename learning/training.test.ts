import { describe, expect, it } from 'vitest';
import { RecordingLearner, valueOfInputs } from '../test/support/recording-learner.ts';
import { openSpread, scripted, simulatorOf, trainingRound, weighted } from '../test/support/small-learning.ts';
import { foldIn, keyFrom, PURPOSE } from '../simulators/random.ts';
import { STEP_CONTINUES, STEP_TERMINATED, STEP_TRUNCATED, type Rollout } from './rollout/rollout-buffer.ts';
import type { MemberReward } from './strategies/contract.ts';
import { trainRound, type TrainingRound } from './training.ts';

const EPISODE_STEPS = 5;
const world = openSpread({ agents: 2, episode_steps: EPISODE_STEPS });
const plain = simulatorOf(world);

/** A round in which nobody learns, and the blocks of experience it was made of. */
async function record(changes: Partial<TrainingRound> = {}) {
  const learner = new RecordingLearner(changes.world ?? world);
  const result = await trainRound(trainingRound(world, learner, { stepCount: 7, updateCount: 3, ...changes }));
  return { result, rollouts: learner.rollouts.map(([rollout]) => rollout!) };
}

const keyOfEpisode = (round: TrainingRound, environment: number, episode: number) =>
  foldIn(foldIn(keyFrom(round.seed, PURPOSE.episode, round.roundIndex), environment), episode);

/** One array of a round in the order of time, blocks joined: element [step][row]. */
function joined(rollouts: readonly Rollout[], name: 'rewards' | 'nextValues' | 'ends' | 'actions'): number[][] {
  return rollouts.flatMap((rollout) =>
    Array.from({ length: rollout.stepCount }, (_, step) => [
      ...rollout[name].subarray(step * rollout.rowCount, (step + 1) * rollout.rowCount),
    ]),
  );
}

const inputsOf = ({ inputs, inputSize, rowCount }: Rollout, step: number, row: number) => [
  ...inputs.subarray((step * rowCount + row) * inputSize, (step * rowCount + row + 1) * inputSize),
];

describe('a round of training', () => {
  it('plays every env step of its blocks, and reports the episodes that end in them', async () => {
    const { result, rollouts } = await record();
    const stepsOfEnvironment = 3 * 7;
    expect(result.envSteps).toBe(8 * stepsOfEnvironment);
    expect(result.episodes).toEqual([
      expect.objectContaining({ episodes: 8 * Math.floor(stepsOfEnvironment / EPISODE_STEPS), lengthMean: 5 }),
    ]);
    expect(result.metrics).toEqual({ updates: (1 + 2 + 3) / 3 });
    expect(rollouts.length).toBe(3);
  });

  it('averages a metric over the updates that reported it', async () => {
    const learner = new RecordingLearner(world);
    const reports = [{}, { loss: 2 }, { loss: 4 }];
    learner.update = async () => reports.shift()!;
    const { metrics } = await trainRound(trainingRound(world, learner, { updateCount: reports.length }));
    expect(metrics).toEqual({ loss: (2 + 4) / 2 });
  });

  it('counts what the learners visit in its last block, simulator by simulator', async () => {
    const partnered = simulatorOf(world, scripted(1, 'noop'));
    const pool = [plain, partnered].map((simulator) => weighted(simulator, 0.5));
    const { result } = await record({ pool });
    const visits = result.visitation.map((features) => features.map((counts) => counts.reduce((sum, n) => sum + n, 0)));
    expect(visits.map((totals) => totals.length)).toEqual([world.features.length, world.features.length]);
    // Two learners in the plain simulator, one beside the partner: every env step of the block is counted once for each.
    const stepsIn = visits.map((totals, simulator) => totals[0]! / (simulator === 0 ? 2 : 1));
    expect(stepsIn[0]! + stepsIn[1]!).toBe(8 * 7);
    expect(Math.min(...stepsIn)).toBeGreaterThan(0);
    for (const totals of visits) expect(new Set(totals).size).toBe(1);
  });

  it('shows its progress after every update', async () => {
    const seen: number[] = [];
    await record({ onProgress: (updates) => void seen.push(updates) });
    expect(seen).toEqual([1, 2, 3]);
  });

  it('is the same when it is played again, and differs from other rounds and seeds', async () => {
    const first = await record({ roundIndex: 4 });
    expect(await record({ roundIndex: 4 })).toEqual(first);
    for (const other of [await record({ roundIndex: 5 }), await record({ roundIndex: 4, seed: 2 })]) {
      expect(other.rollouts[0]!.inputs).not.toEqual(first.rollouts[0]!.inputs);
      expect(other.rollouts[0]!.actions).not.toEqual(first.rollouts[0]!.actions);
    }
  });

  it('records what one environment shows that is stepped by hand, through ends and borders of blocks', async () => {
    const changes = { pool: [weighted(simulatorOf(world, { perturbations: { action_delay: 1 } }))] };
    const { rollouts } = await record(changes);
    const round = trainingRound(world, new RecordingLearner(world), changes);
    const [rewards, nextValues, ends, actions] = (['rewards', 'nextValues', 'ends', 'actions'] as const).map((name) =>
      joined(rollouts, name),
    );
    const { seats, observationSize } = world.groups[0]!;
    const environment = 3;
    const batch = world.createBatch(1);
    const observed = new Float32Array(seats.length * observationSize);
    const observationOf = (seat: number) => observed.subarray(seat * observationSize, (seat + 1) * observationSize);
    for (let step = 0; step < rewards!.length; step += 1) {
      if (step % EPISODE_STEPS === 0) {
        const key = keyOfEpisode(round, environment, step / EPISODE_STEPS);
        batch.reset(0, world.compile(changes.pool[0]!.simulator), key);
      }
      batch.observe(0, observed);
      const rowOf = (seat: number) => environment * seats.length + seat;
      for (const seat of seats) {
        expect(inputsOf(rollouts[Math.floor(step / 7)]!, step % 7, rowOf(seat))).toEqual([...observationOf(seat)]);
      }
      void batch.step(Int32Array.from(seats, (seat) => actions![step]![rowOf(seat)]!));
      // What follows is seen before anything is reset: an episode that is cut off still had a future.
      batch.observe(0, observed);
      for (const seat of seats) {
        expect(rewards![step]![rowOf(seat)]).toBe(Math.fround(batch.rewards[seat]!));
        expect(nextValues![step]![rowOf(seat)]).toBe(valueOfInputs(observationOf(seat)));
        const isEnd = step % EPISODE_STEPS === EPISODE_STEPS - 1;
        expect(ends![step]![rowOf(seat)]).toBe(isEnd ? STEP_TRUNCATED : STEP_CONTINUES);
      }
    }
  });

  it('marks what ends by the rules of the task as a termination', async () => {
    const ending = {
      ...world,
      createBatch(environmentCount: number) {
        const batch = world.createBatch(environmentCount);
        const step = batch.step.bind(batch);
        batch.step = (actions) => {
          void step(actions);
          batch.ended.set(batch.truncated);
        };
        return batch;
      },
    };
    const { rollouts } = await record({ world: ending });
    expect(new Set(rollouts[0]!.ends)).toEqual(new Set([STEP_CONTINUES, STEP_TERMINATED]));
  });

  it('plays simulators as often as the pool weighs them', async () => {
    const weights = [0.7, 0.3];
    const pool = weights.map((weight, index) => weighted(simulatorOf(world, { rules: { mass: 1 + index } }), weight));
    const { result } = await record({ environmentCount: 100, stepCount: EPISODE_STEPS, updateCount: 20, pool });
    const total = 100 * 20;
    expect(result.episodes.reduce((sum, { episodes }) => sum + episodes, 0)).toBe(total);
    weights.forEach((weight, index) => {
      const deviation = Math.sqrt(total * weight * (1 - weight));
      expect(Math.abs(result.episodes[index]!.episodes - total * weight)).toBeLessThan(4 * deviation);
    });
  });

  it('starts the same episodes whatever the pool is', async () => {
    const heavy = simulatorOf(world, { rules: { mass: 2, damping: 0.5 } });
    const first = await record();
    const second = await record({
      pool: [weighted(heavy, 0.5), weighted(plain, 0.5)],
    });
    const { rowCount } = first.rollouts[0]!;
    let differing = 0;
    for (let row = 0; row < rowCount; row += 1) {
      for (const start of [0, EPISODE_STEPS]) {
        expect(inputsOf(second.rollouts[0]!, start, row)).toEqual(inputsOf(first.rollouts[0]!, start, row));
      }
      // The same policy draws the same actions; under other rules they lead elsewhere.
      expect(second.rollouts[0]!.actions[row]).toBe(first.rollouts[0]!.actions[row]);
      const later = (rollout: Rollout) => inputsOf(rollout, 3, row).join();
      if (later(second.rollouts[0]!) !== later(first.rollouts[0]!)) differing += 1;
    }
    expect(differing).toBeGreaterThan(0);
    expect(differing).toBeLessThan(rowCount);
  });
});

describe('rows to learn from', () => {
  it('are those of learners, never those of a partner that is the policy itself', async () => {
    const { rollouts } = await record({ learners: [1] });
    const { learning, rowCount } = rollouts[0]!;
    learning.forEach((value, index) => expect(value).toBe((index % rowCount) % 2));
  });

  it('are missing where a partner holds the learner’s seat', async () => {
    const withPartner = simulatorOf(world, scripted(0, 'noop'));
    const pool = [withPartner, plain].map((simulator) => weighted(simulator, 0.5));
    const changes = { pool, learners: [0], environmentCount: 40, stepCount: EPISODE_STEPS, updateCount: 1 };
    const { rollouts, result } = await record(changes);
    const { learning, rowCount } = rollouts[0]!;
    const learningRows = learning.subarray(0, rowCount).reduce((sum, value) => sum + value, 0);
    expect(learningRows).toBe(result.episodes[1]!.episodes);
    expect(result.episodes[0]!.episodes).toBe(40 - learningRows);
    expect(learningRows).toBeGreaterThan(0);
    expect(learningRows).toBeLessThan(40);
    learning.forEach((value, index) => expect(value).toBe(learning[index % rowCount]));
  });

  it('cost nothing for seats that are scripted in the whole pool', async () => {
    const { rollouts } = await record({
      learners: [0],
      pool: [weighted(simulatorOf(world, scripted(1, 'noop')))],
    });
    expect(rollouts[0]!.rowCount).toBe(8);
    expect(rollouts[0]!.learning.every((value) => value === 1)).toBe(true);
  });
});

/** Members that record what they are given, each by its name. */
function recordingMembers(names: { learners: string[]; partner?: MemberReward }, inWorld = world) {
  const learners = names.learners.map((name) => ({
    name,
    seats: 'learners' as const,
    share: 1 / names.learners.length,
    reward: 'own' as const,
    learner: new RecordingLearner(inWorld),
  }));
  const partners =
    names.partner === undefined
      ? []
      : [{ name: 'partner', seats: 'partners' as const, share: 1, reward: names.partner, learner: new RecordingLearner(inWorld) }]; // prettier-ignore
  return [...learners, ...partners];
}

const play = (changes: Partial<TrainingRound>) =>
  trainRound(trainingRound(world, new RecordingLearner(world), { stepCount: 7, updateCount: 3, ...changes }));

describe('members in the learners’ seats', () => {
  it('take turns, each of which is what it would be alone', async () => {
    const members = recordingMembers({ learners: ['m0', 'm1'] });
    const result = await play({ members, updatesBefore: 1, roundIndex: 2 });
    const alone = await record({ updateCount: 2, roundIndex: 2 });
    expect(members.map(({ learner }) => learner.rollouts.length)).toEqual([1, 2]);
    expect(members[1]!.learner.rollouts).toEqual(alone.rollouts.map((rollout) => [rollout]));
    expect(members[0]!.learner.rollouts).toEqual([[alone.rollouts[0]]]);
    expect(result.envSteps).toBe(3 * 8 * 7);
    const episodesOf = (blocks: number) => 8 * Math.floor((blocks * 7) / EPISODE_STEPS);
    expect(result.members).toEqual([
      { name: 'm0', episodes: episodesOf(1), returnMean: expect.any(Number) },
      { name: 'm1', episodes: episodesOf(2), returnMean: alone.result.episodes[0]!.returnMean },
    ]);
    expect(result.episodes[0]!.episodes).toBe(episodesOf(1) + episodesOf(2));
    expect(result.metrics).toEqual({ updates: 1, 'm1.updates': (1 + 2) / 2 });
  });

  it('show their visits by whoever plays first when the first has no turn', async () => {
    const members = recordingMembers({ learners: ['m0', 'm1'] });
    const result = await play({ members, updatesBefore: 1, updateCount: 1 });
    expect(members.map(({ learner }) => learner.rollouts.length)).toEqual([0, 1]);
    expect(result.members[0]).toEqual({ name: 'm0', episodes: 0, returnMean: NaN });
    expect(result.visitation).toEqual((await play({ updateCount: 1 })).visitation);
  });
});

describe('a partner that is trained along', () => {
  const beside = { ...plain, partners: { 1: { kind: 'trained' as const } } };

  it('learns from its seats in the same episodes, the learners from theirs', async () => {
    const members = recordingMembers({ learners: ['learner'], partner: 'own' });
    const changes = { learners: [0], pool: [weighted(plain, 0.5), weighted(beside, 0.5)], environmentCount: 40 };
    const result = await play({ ...changes, members });
    const [learner, partner] = members.map(({ learner: { rollouts } }) => rollouts.map(([rollout]) => rollout!));
    expect(partner!.length).toBe(3);
    let heldSteps = 0;
    learner!.forEach((own, block) => {
      const others = partner![block]!;
      for (let place = 0; place < 7 * 40; place += 1) {
        // Rows of the learner are both seats, for it holds seat 1 by itself in the plain simulator; the partner has one.
        expect([...own.learning.subarray(place * 2, place * 2 + 2)]).toEqual([1, 0]);
        expect(others.rewards[place]).toBe(own.rewards[place * 2 + 1]);
        heldSteps += others.learning[place]!;
      }
    });
    const finished = result.episodes.map(({ episodes }) => episodes * EPISODE_STEPS);
    expect(heldSteps).toBeGreaterThanOrEqual(finished[1]!);
    expect(heldSteps).toBeLessThanOrEqual(3 * 7 * 40 - finished[0]!);
    expect(result.metrics).toEqual({ updates: 2, 'partner.updates': 2 });
  });

  it('acts in its seats, and nowhere else', async () => {
    const pool = [weighted(beside)];
    const still = recordingMembers({ learners: ['learner'], partner: 'own' });
    // A partner that all but always stands still moves unlike one that acts at random.
    const create = still[1]!.learner.createActor.bind(still[1]!.learner);
    still[1]!.learner.createActor = async (...given) => {
      const actor = await create(...given);
      for (let row = 0; row < actor.rowCount; row += 1) actor.logits[row * 5] = 90;
      return actor;
    };
    await play({ learners: [0], pool, members: still });
    const noop = await record({ learners: [0], pool: [weighted(simulatorOf(world, scripted(1, 'noop')))] });
    expect(new Set(still[1]!.learner.rollouts.flatMap(([rollout]) => [...rollout!.actions]))).toEqual(new Set([0]));
    expect(still[0]!.learner.rollouts).toEqual(noop.rollouts.map((rollout) => [rollout]));
  });

  it('may be rewarded for what it does to the learners', async () => {
    const rewardsWith = async (partner: MemberReward) => {
      const members = recordingMembers({ learners: ['learner'], partner });
      await play({ learners: [0], pool: [weighted(beside)], members });
      return members.map(({ learner: { rollouts } }) => rollouts.flatMap(([rollout]) => [...rollout!.rewards]));
    };
    const [learners, cooperative] = await rewardsWith('cooperative');
    const [, adversarial] = await rewardsWith('adversarial');
    const [, curriculum] = await rewardsWith('curriculum');
    expect(cooperative).toEqual(learners);
    expect(adversarial).toEqual(learners!.map((reward) => -reward));
    const isEnd = learners!.map((_, index) => Math.floor(index / 8) % EPISODE_STEPS === EPISODE_STEPS - 1);
    expect(curriculum!.map((reward) => reward > 0)).toEqual(isEnd);
  });

  it('has a seat, and a seat has a partner', async () => {
    const isDefect = { code: 'DEFECT_INVARIANT' };
    const members = recordingMembers({ learners: ['learner'], partner: 'own' });
    await expect(play({ learners: [0], members })).rejects.toMatchObject(isDefect);
    await expect(play({ learners: [0], pool: [weighted(beside)] })).rejects.toMatchObject(isDefect);
  });
});

describe('groups of environments', () => {
  it('start alike and act each by itself', async () => {
    const pool = [0.5, 0.5].map((weight, index) => ({
      ...weighted(simulatorOf(world, { rules: { mass: 1 + index } }), weight),
      randomization: { 'rules.damping': [0.1, 0.5] as const },
    }));
    const { rollouts } = await record({ pool, episodeRule: { groupSize: 3 }, stepCount: EPISODE_STEPS });
    const [rollout] = rollouts;
    const startOf = (environment: number) => inputsOf(rollout!, 0, environment * 2).join();
    const starts = Array.from({ length: 8 }, (_, environment) => startOf(environment));
    expect(starts.map((start) => starts.indexOf(start))).toEqual([0, 0, 0, 3, 3, 3, 6, 6]);
    const laterOf = (environment: number) => inputsOf(rollout!, 3, environment * 2).join();
    expect(new Set(Array.from({ length: 8 }, (_, environment) => laterOf(environment))).size).toBe(8);
  });
});

describe('simulators that are only scored', () => {
  it('teach nothing, and their env steps are counted', async () => {
    const pool = [
      { ...weighted(plain, 0.5), learns: false },
      weighted(simulatorOf(world, { rules: { mass: 2 } }), 0.5),
    ];
    const { result, rollouts } = await record({ pool, environmentCount: 40, stepCount: EPISODE_STEPS });
    const learning = rollouts.flatMap((rollout) => [...rollout.learning]);
    const learnt = learning.reduce((sum, value) => sum + value, 0) / world.seatCount;
    expect(result.scoringEnvSteps).toBe(result.episodes[0]!.episodes * EPISODE_STEPS);
    expect(learnt).toBe(result.episodes[1]!.episodes * EPISODE_STEPS);
    expect(result.scoringEnvSteps + learnt).toBe(result.envSteps);
    expect(result.scoringEnvSteps).toBeGreaterThan(0);
  });
});

describe('scores of episodes', () => {
  it('are given when they are asked for, also of simulators that nobody learns from, and change nothing else', async () => {
    const pool = [
      weighted(plain, 0.5),
      { ...weighted(simulatorOf(world, { rules: { mass: 2 } }), 0.5), learns: false },
    ];
    const plainly = await record({ pool });
    const scored = await record({ pool, scoresEpisodes: true });
    expect(plainly.result.episodes.map(({ scores }) => scores)).toEqual([null, null]);
    for (const [index, { scores, ...summary }] of scored.result.episodes.entries()) {
      expect(summary).toEqual({ ...plainly.result.episodes[index], scores: undefined });
      expect(Object.values(scores!).every(Number.isFinite)).toBe(true);
      expect(scores!.positiveValueLoss).toBeGreaterThan(0);
    }
    expect(scored.rollouts).toEqual(plainly.rollouts);
  });
});
