import { describe, expect, it } from 'vitest';
import { FAILING_SITUATIONS } from '../../../test/support/made-up-mined.ts';
import { RecordingLearner } from '../../../test/support/recording-learner.ts';
import { scripted, simulatorOf } from '../../../test/support/small-learning.ts';
import { keyFrom, PURPOSE, RandomStream } from '../../../simulators/random.ts';
import { NO_POLICIES } from '../../rollout/partner-policies.ts';
import type { MiningPlan } from '../contract.ts';
import { keyMomentOf } from './key-moment.ts';
import { mine, type MineOptions } from './mine.ts';
import { shortfallOf } from './shortfall.ts';

const EPISODES = 10;
const plan: MiningPlan = {
  episodes: EPISODES,
  draws: 'fixed',
  select: 'lowest',
  share: 0.3,
  perSimulatorMax: 4,
  groupsMax: 3,
};

function optionsOf(name: keyof typeof FAILING_SITUATIONS, changes: Partial<MineOptions> = {}): MineOptions {
  const { world, learners, validation } = FAILING_SITUATIONS[name];
  return {
    world,
    player: { kind: 'policy', learner: new RecordingLearner(world), mode: 'sampled' },
    learners,
    simulators: validation,
    keys: Array.from({ length: EPISODES }, (_, episode) => keyFrom(0, PURPOSE.mining, 0, episode)),
    plan,
    earlier: {},
    random: new RandomStream(keyFrom(1)),
    loadPolicy: NO_POLICIES,
    onProgress: () => undefined,
    ...changes,
  };
}

describe.each(['spread', 'tag', 'foraging'] as const)('what is mined of %s', (name) => {
  it('is the same again, with every episode told', async () => {
    const found = await mine(optionsOf(name));
    expect(await mine(optionsOf(name))).toEqual(found);
    const { world, validation } = FAILING_SITUATIONS[name];
    expect(found.simulators.map((mined) => [mined.name, mined.episodes])).toEqual(
      validation.map((named) => [named.name, EPISODES]),
    );
    expect(found.samples.positions).toEqual(
      validation.flatMap((_, position) => Array<number>(EPISODES).fill(position)),
    );
    for (const [position, { returnMean }] of found.simulators.entries()) {
      const own = found.samples.returns.slice(position * EPISODES, (position + 1) * EPISODES);
      expect(own.reduce((sum, each) => sum + each, 0) / EPISODES).toBeCloseTo(returnMean, 9);
    }
    expect(found.samples.shortfalls.every(Number.isFinite)).toBe(true);
    expect(found.envSteps).toBeLessThanOrEqual(3 * validation.length * EPISODES * world.episodeStepsMax);
    expect(found.envSteps).toBeGreaterThan(2 * validation.length * EPISODES);
  });

  it('are failures with a score against their simulator, the moment at which they went wrong, and a group', async () => {
    const { simulators, failures, samples, statePaths } = await mine(optionsOf(name));
    const possible = simulators.filter(({ isImpossible }) => !isImpossible);
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.length).toBeLessThanOrEqual(Math.ceil(plan.share * possible.length * EPISODES));
    expect(failures.map(({ score }) => score)).toEqual(failures.map(({ score }) => score).sort((a, b) => a - b));
    for (const failure of failures) {
      const mined = possible.find((each) => each.name === failure.name)!;
      expect(failure.score).toBe((failure.return - mined.randomMean) / (mined.knownMean - mined.randomMean));
      const place = simulators.indexOf(mined) * EPISODES + failure.episode;
      expect(samples.returns[place]).toBe(failure.return);
      expect(samples.shortfalls[place]).toBe(
        shortfallOf(failure, new RecordingLearner(FAILING_SITUATIONS[name].world).returns.gamma),
      );
      expect(failure.keyMoment).toBe(keyMomentOf(failure.values));
      expect(failure.states).toHaveLength(failure.actions.length + 1);
      expect(failure.states.every((state) => state.length === statePaths.length)).toBe(true);
    }
    const groups = new Set(failures.map(({ group }) => group));
    expect(groups.size).toBe(Math.min(plan.groupsMax, failures.length));
    expect(
      failures
        .filter(({ isMedoid }) => isMedoid)
        .map(({ group }) => group)
        .sort(),
    ).toEqual([...groups].sort());
  });

  it('tells the states of a failure as a start from which the world begins so', async () => {
    const { world } = FAILING_SITUATIONS[name];
    const { failures, statePaths } = await mine(optionsOf(name));
    const { simulator, key, states } = failures[0]!;
    const batch = world.createBatch(1);
    batch.reset(0, world.compile(simulator), key);
    const placed = world.compile({ ...simulator, scenarios: { ...simulator.scenarios, start: batch.state(0) } });
    const told = statePaths.map((path) => placed[world.parameters.findIndex((parameter) => parameter.path === path)]);
    expect(states[0]).toEqual(told);
    expect(statePaths.every((path) => path.startsWith('scenarios.start.'))).toBe(true);
    expect(statePaths.length).toBeGreaterThan(0);
  });
});

describe('mining', () => {
  it('holds a policy against the scripted reference, and against the best of what the run itself did before', async () => {
    const { simulators } = await mine(optionsOf('spread'));
    expect(simulators.map(({ knownBy }) => knownBy)).toEqual(['scripted', 'scripted', 'scripted']);
    const earlier = { top: [Array(EPISODES).fill(-1000), Array(EPISODES).fill(-0.5)] };
    const held = await mine(optionsOf('spread', { earlier }));
    expect(held.simulators[0]).toMatchObject({ knownBy: 'earlier', knownMean: -0.5, isImpossible: false });
    expect(held.simulators.slice(1)).toEqual(simulators.slice(1));
  });

  it('finds no failure where nothing can be learnt', async () => {
    const { world } = FAILING_SITUATIONS.spread;
    // Nobody is rewarded for anything.
    const idle = { ...scripted(1, 'noop'), rewards: { coverage: 0, collision: 0 } };
    const stuck = { name: 'stuck', simulator: simulatorOf(world, idle) };
    const still = await mine(optionsOf('spread', { simulators: [stuck], plan: { ...plan, share: 1 } }));
    expect(still.simulators).toMatchObject([{ isImpossible: true, knownBy: 'random' }]);
    expect(still.failures).toEqual([]);
    expect(still.samples.returns).toHaveLength(EPISODES);
  });

  it('may choose as many failures at random', async () => {
    const lowest = await mine(optionsOf('spread'));
    const random = await mine(optionsOf('spread', { plan: { ...plan, select: 'random' } }));
    expect(random.failures).toHaveLength(lowest.failures.length);
    expect(random.failures.map(({ score }) => score)).not.toEqual(lowest.failures.map(({ score }) => score));
    expect({ ...random, failures: null }).toEqual({ ...lowest, failures: null });
  });

  it('of nothing finds nothing', async () => {
    const nothing = await mine(optionsOf('spread', { simulators: [] }));
    expect(nothing).toMatchObject({ simulators: [], failures: [], envSteps: 0 });
  });
});
