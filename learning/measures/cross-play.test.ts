import { describe, expect, it } from 'vitest';
import { createOnnxExecutor } from '../../infra/onnx/executor.ts';
import { onnxModelFromGraph } from '../../infra/onnx/model.ts';
import { loadPolicy } from '../../infra/onnx/policy-model.ts';
import type { World } from '../../simulators/contract.ts';
import { keyFrom, PURPOSE } from '../../simulators/random.ts';
import { FAMILIES } from '../../simulators/registry.ts';
import { evaluationOptions, openSpread, scripted, simulatorOf } from '../../test/support/small-learning.ts';
import { ippo } from '../algorithms/ippo.ts';
import { crossPlayReturns, crossPlaySides, haveSameSeats, seatedSimulator } from './cross-play.ts';
import { evaluate } from '../evaluation.ts';
import type { PolicyModel } from '../rollout/partner-policies.ts';

const ACTION_COUNT = 5;
const SEED = 3;
const EPISODES = 4;

const openTag = (): World => {
  const family = FAMILIES['simple_tag']!;
  return family.open(family.optionsSchema.parse({}));
};

/** The hash of a policy that always takes one action, on the seats of one group. */
const artifactOf = (action: number, group = 0): string => `${group}${action}`.repeat(32);

function loaderFor(world: World, inputSizes = world.groups.map(({ observationSize }) => observationSize)) {
  return async (artifact: string): Promise<PolicyModel> => {
    const [group, action] = [...artifact.slice(0, 2)].map(Number) as [number, number];
    const inputSize = inputSizes[group]!;
    return {
      inputSize,
      outputSize: ACTION_COUNT,
      actionKind: 'discrete',
      isMasked: false,
      memorySize: 0,
      createActor: async (rowCount) => ({
        rowCount,
        inputs: new Float32Array(rowCount * inputSize),
        masks: null,
        joint: null,
        memory: null,
        logits: Float32Array.from({ length: rowCount * ACTION_COUNT }, (_, at) => Number(at % ACTION_COUNT === action)),
        values: null,
        forward: async () => undefined,
        release: async () => undefined,
      }),
    };
  };
}

/** The same by a plain loop: every seat does its one action until the end. */
function slowReturns(world: World, actionOfSeat: readonly number[], counted: readonly number[]): number[] {
  return Array.from({ length: EPISODES }, (_, episode) => {
    const batch = world.createBatch(1);
    batch.reset(0, world.compile(simulatorOf(world)), keyFrom(SEED, PURPOSE.evaluation, episode));
    let sum = 0;
    for (let step = 0; step < world.episodeStepsMax; step += 1) {
      void batch.step(Int32Array.from(actionOfSeat));
      for (const seat of counted) sum += batch.rewards[seat]!;
    }
    return world.cooperative ? sum : sum / counted.length;
  });
}

describe('the sides of a cross-play', () => {
  it('are learners and partners where some seats do not learn', () => {
    expect(crossPlaySides(openSpread({ agents: 3 }), [0, 2])).toEqual({ rows: [0, 2], columns: [1] });
    expect(crossPlaySides(openTag(), [0, 1, 2])).toEqual({ rows: [0, 1, 2], columns: [3] });
  });

  it('are the first learner and the others where all learn and are alike', () => {
    expect(crossPlaySides(openSpread({ agents: 3 }), [0, 1, 2])).toEqual({ rows: [0], columns: [1, 2] });
  });

  it('are the first role and the others where all learn and roles differ', () => {
    const { rows, columns } = crossPlaySides(openTag(), [0, 1, 2, 3]);
    expect({ rows, columns }).toEqual({ rows: openTag().groups[0]!.seats, columns: openTag().groups[1]!.seats });
  });

  it('hold every seat once, and nobody is met in a world of one seat', () => {
    expect(crossPlaySides({ groups: openSpread({ agents: 2 }).groups, seatCount: 1 }, [0]).columns).toEqual([]);
  });
});

describe('the simulator of a pair', () => {
  const world = openSpread({ agents: 3 });

  it('has the policies of the column on their seats and nobody else, and is otherwise as it was', () => {
    const written = { ...scripted(0, 'noop'), rules: { damping: 0.4 } };
    const base = simulatorOf(world, {
      ...written,
      partners: { ...written.partners, ...scripted(2, 'random').partners },
    });
    const policies = { '0': artifactOf(1) };
    const seated = seatedSimulator(base, { groups: world.groups, columns: [2], policies, mode: 'sampled' });
    expect(seated).toEqual({
      ...base,
      partners: { '2': { kind: 'policy', artifact: artifactOf(1), mode: 'sampled', epsilon: 0 } },
    });
    expect(world.simulatorSchema.parse(seated)).toEqual(seated);
  });
});

describe('the returns of a pair', () => {
  it('are those of a plain loop in which the row has its seats and the column the others', async () => {
    const world = openSpread({ agents: 3 });
    const simulator = seatedSimulator(simulatorOf(world), {
      groups: world.groups,
      columns: [1, 2],
      policies: { '0': artifactOf(2) },
      mode: 'deterministic',
    });
    const play = { world, simulator, rows: [0], policies: { '0': artifactOf(4) }, mode: 'deterministic' as const };
    const returns = await crossPlayReturns({ ...play, episodes: EPISODES, seed: SEED }, loaderFor(world));
    const expected = slowReturns(world, [4, 2, 2], [0, 1, 2]);
    expect(returns).toHaveLength(EPISODES);
    returns.forEach((value, episode) => expect(value).toBeCloseTo(expected[episode]!, 9));
    expect(returns).not.toEqual(slowReturns(world, [2, 4, 4], [0, 1, 2]));
  });

  it('are means over the seats of the row where the family is no team', async () => {
    const world = openTag();
    const simulator = seatedSimulator(simulatorOf(world), {
      groups: world.groups,
      columns: [3],
      policies: { '1': artifactOf(1, 1) },
      mode: 'deterministic',
    });
    const rows = [0, 1, 2];
    const play = { world, simulator, rows, policies: { '0': artifactOf(3) }, mode: 'deterministic' as const };
    const returns = await crossPlayReturns({ ...play, episodes: EPISODES, seed: SEED }, loaderFor(world));
    const expected = slowReturns(world, [3, 3, 3, 1], rows);
    returns.forEach((value, episode) => expect(value).toBeCloseTo(expected[episode]!, 9));
  });

  const openForaging = (): World => {
    const family = FAMILIES['foraging']!;
    return family.open(family.optionsSchema.parse({ players: 2, field_size: 5, food: 1, episode_steps: 10 }));
  };
  const openBoxes = (): World => {
    const family = FAMILIES['simple_spread']!;
    return family.open(family.optionsSchema.parse({ agents: 2, continuous_actions: true }));
  };
  const recurrent = { recurrent: { units: 6 } };
  const kinds: [title: string, open: () => World, settings: object][] = [
    ['as it is', () => openSpread({ agents: 2 }), {}],
    ['with a memory, which each of its seats has for itself', () => openSpread({ agents: 2 }), recurrent],
    ['that is told which actions are legal, and has a memory', openForaging, recurrent],
    ['of boxes', openBoxes, {}],
  ];

  it.each(kinds)(
    'of a policy with itself are what an evaluation of the team gives: %s',
    async (_title, open, settings) => {
      const world = open();
      const parameters = ippo.parametersSchema(world).parse({ name: ippo.name, hidden_sizes: [8], ...settings });
      const learners = [0, 1];
      const executor = createOnnxExecutor();
      const setup = { world, learners, parameters, executor, updateCount: 1, seed: 5, memberIndex: 0 };
      const learner = await ippo.createLearner(setup);
      const bytes = onnxModelFromGraph(learner.policyGraph(0), { dynamicRows: true, metadata: {} });
      const model = await loadPolicy(bytes, 'the policy');
      const mode = 'deterministic' as const;
      const [team] = await evaluate({ kind: 'policy', learner, mode }, evaluationOptions(world, { seed: SEED }));
      const { rows, columns } = crossPlaySides(world, learners);
      const policies = { '0': artifactOf(0) };
      const simulator = seatedSimulator(simulatorOf(world), { groups: world.groups, columns, policies, mode });
      const episodes = team!.episodes.length;
      const returns = await crossPlayReturns(
        { world, simulator, rows, policies, mode, episodes, seed: SEED },
        async () => model,
      );
      const expected = team!.episodes.map((outcome) => outcome.return);
      // To the last bit, but for boxes, where the last bits of an output are not thrown away by the choice of the largest.
      if (world.groups[0]!.actions.kind === 'discrete') expect(returns).toEqual(expected);
      else returns.forEach((value, episode) => expect(value).toBeCloseTo(expected[episode]!, 4));
      await Promise.all([model.release(), learner.release()]);
    },
  );

  it('are refused when a policy of the row does not fit', async () => {
    const world = openSpread({ agents: 2 });
    const simulator = simulatorOf(world, scripted(1, 'noop'));
    const play = { world, simulator, rows: [0], policies: { '0': artifactOf(0) }, mode: 'deterministic' as const };
    await expect(
      crossPlayReturns({ ...play, episodes: 1, seed: 0 }, loaderFor(world, [world.groups[0]!.observationSize + 1])),
    ).rejects.toMatchObject({ code: 'REQUEST_CONFLICT' });
  });
});

describe('worlds', () => {
  it('have the same seats unless what these see or do differs', () => {
    expect(haveSameSeats(openSpread({ agents: 2 }), openSpread({ agents: 2, episode_steps: 7 }))).toBe(true);
    expect(haveSameSeats(openSpread({ agents: 2 }), openSpread({ agents: 3 }))).toBe(false);
  });
});
