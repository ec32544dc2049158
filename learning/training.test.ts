import { describe, expect, it } from 'vitest';
import { RecordingLearner, valueOfInputs } from '../test/support/recording-learner.ts';
import { openSpread, scripted, simulatorOf, trainingRound, weighted } from '../test/support/small-learning.ts';
import { foldIn, keyFrom, PURPOSE } from '../simulators/random.ts';
import { STEP_CONTINUES, STEP_TERMINATED, STEP_TRUNCATED, type Rollout } from './rollout-buffer.ts';
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
