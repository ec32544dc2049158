import { describe, expect, it } from 'vitest';
import { openSpread, scripted, simulatorOf, weighted } from '../../test/support/small-learning.ts';
import type { Batch, SimulatorData, World } from '../../simulators/contract.ts';
import { FAMILIES } from '../../simulators/registry.ts';
import type { Actor } from '../algorithms/contract.ts';
import { type Behaviour, type BehaviourOptions, probeBehaviour } from './behaviour.ts';
import { actionHead } from '../rollout/action-head.ts';
import { NO_POLICIES } from '../rollout/partner-policies.ts';

const ACTIONS = 5;
const world = openSpread({ agents: 2 });

/** A policy by a rule: what a row of inputs makes of the logits. */
function policy(logitsOf: (inputs: Float32Array) => readonly number[], of: World = world): BehaviourOptions['learner'] {
  const policies = of.groups.map(({ observationSize, actions }, group) => ({
    group,
    inputSize: observationSize,
    identitySize: 0,
    actions,
    isMasked: false,
    memorySize: 0,
  }));
  const createActor = async (group: number, rowCount: number): Promise<Actor> => {
    const { inputSize, actions } = policies[group]!;
    const { outputSize } = actionHead(actions);
    const inputs = new Float32Array(rowCount * inputSize);
    const logits = new Float32Array(rowCount * outputSize);
    const forward = async (): Promise<void> => {
      for (let row = 0; row < rowCount; row += 1) {
        logits.set(logitsOf(inputs.subarray(row * inputSize, (row + 1) * inputSize)), row * outputSize);
      }
    };
    return {
      rowCount,
      inputs,
      masks: null,
      joint: null,
      memory: null,
      logits,
      values: null,
      forward,
      release: async () => undefined,
    };
  };
  return { policies, createActor };
}

const certain = (action: number): number[] =>
  Array.from({ length: ACTIONS }, (_, each) => (each === action ? 1e3 : -1e3));
const place = (of: World, name: string): number => of.groups[0]!.observation.find((part) => part.name === name)!.offset;

const uniform = policy(() => [0, 0, 0, 0, 0]);
const still = policy(() => certain(0));
const right = policy(() => certain(2));
/** Goes left or right by where it stands itself. */
const selfish = policy((inputs) => certain(inputs[place(world, 'own_position')]! > 0 ? 1 : 2));
/** Goes left or right by where the other stands. */
const heedful = policy((inputs) => certain(inputs[place(world, 'others')]! > 0 ? 1 : 2));

/** Without contacts, in which who stands still is pushed. */
const plain = simulatorOf(world, { rules: { contact_force: 0 } });
/** Every landmark is covered. */
const start = { agents: [[0.5, 0.5], [-0.5, -0.5]], landmarks: [[0.5, 0.5], [-0.5, -0.5]] }; // prettier-ignore

function probe(learner: BehaviourOptions['learner'], changes: Partial<BehaviourOptions> = {}): Promise<Behaviour> {
  return probeBehaviour({
    world,
    learner,
    partner: null,
    learners: [0, 1],
    simulators: [weighted(plain)],
    episodes: 256,
    loadPolicy: NO_POLICIES,
    seed: 0,
    gain: 1,
    onProgress: () => undefined,
    ...changes,
  });
}

/** The same world, which notes the actions that are given and the states and parameters that episodes start from. */
function noting(original: World) {
  const starts: { state: string; parameters: string }[] = [];
  const actions: number[][] = [];
  const createBatch = (environmentCount: number): Batch => {
    const batch = original.createBatch(environmentCount);
    const { reset, step } = { reset: batch.reset.bind(batch), step: batch.step.bind(batch) };
    batch.reset = (environment, parameters, key) => {
      reset(environment, parameters, key);
      starts.push({ state: JSON.stringify(batch.state(environment)), parameters: parameters.join() });
    };
    batch.step = (given) => {
      actions.push([...given]);
      return step(given);
    };
    return batch;
  };
  return { starts, actions, world: { ...original, createBatch } };
}

describe('a policy that never moves', () => {
  it('dwells in one cell, acts for certain and ends every group alike', async () => {
    expect(await probe(still)).toEqual({
      zeroVarianceShare: 1,
      policyEntropy: 0,
      dwelling: 1,
      indifference: 1,
      envSteps: 256 * world.episodeStepsMax,
    });
  });
});

it('plays as many episodes as are asked for, the first of them whatever their number is', async () => {
  const noted = [noting(world), noting(world)] as const;
  const few = await probe(uniform, { world: noted[0].world, episodes: 64 });
  await probe(uniform, { world: noted[1].world });
  expect(few.envSteps).toBe(64 * world.episodeStepsMax);
  expect(noted[0].starts).toHaveLength(64);
  expect(noted[0].starts).toEqual(noted[1].starts.slice(0, 64));
});

describe('a policy that always goes to the right', () => {
  it('dwells less', async () => {
    expect((await probe(right)).dwelling).toBeLessThan(0.8);
  });

  it('dwells in the cell at the border once it has left the range', async () => {
    const far = { agents: [[2.9, 0], [2, 0]], landmarks: [[0, 0], [0, 0]] }; // prettier-ignore
    const simulator = simulatorOf(world, { scenarios: { start: far } });
    expect((await probe(right, { simulators: [weighted(simulator)] })).dwelling).toBe(1);
  });
});

describe('a uniform policy', () => {
  it('has the entropy of a uniform choice, and heeds nobody', async () => {
    const { policyEntropy, indifference, dwelling } = await probe(uniform);
    expect(policyEntropy).toBeCloseTo(Math.log(ACTIONS), 12);
    expect(indifference).toBe(1);
    expect(dwelling).toBeLessThan(1);
  });

  it('ends groups apart where success hangs on its actions, or by return where the family has no success', async () => {
    const near = simulatorOf(world, { scenarios: { start }, rules: { acceleration: 1.2 } });
    const { zeroVarianceShare } = await probe(uniform, { simulators: [weighted(near)] });
    expect(zeroVarianceShare).toBeGreaterThan(0);
    expect(zeroVarianceShare).toBeLessThan(1);
    const failing = { ...world, hasSuccess: false };
    expect((await probe(uniform, { world: failing })).zeroVarianceShare).toBe(0);
    expect((await probe(uniform, { world: failing, gain: 1e9 })).zeroVarianceShare).toBe(1);
    expect((await probe(still, { world: failing })).zeroVarianceShare).toBe(1);
  });
});

describe('indifference', () => {
  it('is exactly 1 of a policy that looks at itself alone', async () => {
    const { indifference, policyEntropy } = await probe(selfish);
    expect(indifference).toBe(1);
    expect(policyEntropy).toBe(0);
  });

  it('is lower of one that goes by the others', async () => {
    const { indifference } = await probe(heedful);
    expect(indifference).toBeLessThan(0.7);
    expect(indifference).toBeGreaterThanOrEqual(0);
  });

  it('exchanges the others between groups of one simulator', async () => {
    const paralysed = (scenario: object = {}): SimulatorData =>
      simulatorOf(world, { rules: { acceleration: 0, contact_force: 0 }, scenarios: scenario });
    const mirrored = { ...start, agents: [...start.agents].reverse() };
    // Within a group, and within one of these two simulators, everybody stands where everybody else does.
    const pool = [weighted(paralysed({ start }), 0.5), weighted(paralysed({ start: mirrored }), 0.5)];
    expect((await probe(heedful, { simulators: pool })).indifference).toBe(1);
    expect((await probe(heedful, { simulators: [weighted(paralysed())] })).indifference).toBeLessThan(0.7);
  });

  it('is no number where no other group plays the same simulator', async () => {
    const many = Array.from({ length: 4000 }, (_, index) =>
      weighted(withRules(plain, { damping: 0.1 + index * 1e-4 }), 1 / 4000),
    );
    expect((await probe(heedful, { simulators: many })).indifference).toBeNaN();
  });
});

describe('the episodes', () => {
  it('start alike in groups of 8, and differ in their actions', async () => {
    const randomized = { ...weighted(plain), randomization: { 'rules.damping': [0.1, 0.5] as const } };
    const { starts, actions, world: noted } = noting(world);
    await probe(uniform, { world: noted, simulators: [randomized] });
    expect(starts).toHaveLength(256);
    const groups = Array.from({ length: 32 }, (_, group) => starts.slice(8 * group, 8 * group + 8));
    for (const group of groups) expect(new Set(group.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(new Set(starts.map(({ state }) => state)).size).toBe(32);
    expect(new Set(starts.map(({ parameters }) => parameters)).size).toBe(32);
    const taken = starts.map((_, episode) => actions.map((all) => all.slice(2 * episode, 2 * episode + 2)).join());
    expect(new Set(taken).size).toBe(256);
  });

  it('are played in the simulators of the pool by its weights, one for a group', async () => {
    const { starts, world: noted } = noting(world);
    const pool = [
      weighted(withRules(plain, { damping: 0.1 }), 0.25),
      weighted(withRules(plain, { damping: 0.4 }), 0.75),
    ];
    await probe(uniform, { world: noted, simulators: pool });
    const heavy = starts.filter(({ parameters }) => parameters === world.compile(pool[1]!.simulator).join()).length;
    // Binomial of 32 groups: 24 ± 4 standard deviations.
    expect(heavy % 8).toBe(0);
    expect(Math.abs(heavy / 8 - 24)).toBeLessThan(4 * Math.sqrt(32 * 0.25 * 0.75));
  });

  it('are the same again, and others under another seed', async () => {
    const first = await probe(uniform);
    expect(await probe(uniform)).toEqual(first);
    expect(await probe(uniform, { seed: 1 })).not.toEqual(first);
  });

  it('show their progress up to the last', async () => {
    const seen: number[] = [];
    await probe(uniform, { onProgress: (done) => void seen.push(done) });
    expect(seen).toHaveLength(world.episodeStepsMax);
    expect(seen.at(-1)).toBe(256);
  });

  it('of a family that ends early count for as long as they last', async () => {
    const foraging = FAMILIES['foraging']!;
    const field = foraging.open(foraging.optionsSchema.parse({ players: 2, field_size: 6, food: 1 }));
    const forager = policy(() => [0, 0, 0, 0, 0, 0], field);
    const { envSteps, zeroVarianceShare } = await probe(forager, {
      world: field,
      simulators: [weighted(simulatorOf(field))],
    });
    expect(envSteps).toBeLessThan(256 * field.episodeStepsMax);
    expect(zeroVarianceShare).toBeLessThan(1);
  });

  it('are a defect when one outlasts what its family promises', async () => {
    const hasty = { ...world, episodeStepsMax: world.episodeStepsMax - 1 };
    await expect(probe(uniform, { world: hasty })).rejects.toThrow(
      expect.objectContaining({ code: 'DEFECT_INVARIANT' }),
    );
  });
});

describe('whoever does not learn', () => {
  const beside = (kind: string): SimulatorData => ({ ...plain, partners: { 1: { kind: kind as 'self' } } });
  const actionsOf = (actions: number[][], seat: number): Set<number> =>
    new Set(actions.flatMap((all) => all.filter((_, index) => index % 2 === seat)));

  it('does not count, whether it is scripted, the policy itself or trained along', async () => {
    const fleeing = { ...plain, partners: simulatorOf(world, scripted(1, 'random')).partners };
    const pools: [SimulatorData, BehaviourOptions['partner']][] = [[fleeing, null], [beside('trained'), uniform]]; // prettier-ignore
    for (const [simulator, partner] of pools) {
      const measured = await probe(still, { simulators: [weighted(simulator)], partner, learners: [0] });
      expect(measured).toMatchObject({ policyEntropy: 0, dwelling: 1, indifference: 1 });
    }
  });

  it('is driven by the learners as `self`, by the partner as `trained`', async () => {
    const own = noting(world);
    await probe(still, { world: own.world, simulators: [weighted(beside('self'))], partner: right, learners: [0] });
    expect([actionsOf(own.actions, 0), actionsOf(own.actions, 1)]).toEqual([new Set([0]), new Set([0])]);
    const other = noting(world);
    await probe(still, {
      world: other.world,
      simulators: [weighted(beside('trained'))],
      partner: right,
      learners: [0],
    });
    expect([actionsOf(other.actions, 0), actionsOf(other.actions, 1)]).toEqual([new Set([0]), new Set([2])]);
  });

  it('holds its seats only in its own simulators', async () => {
    const pool = [weighted(beside('trained'), 0.5), weighted(beside('self'), 0.5)];
    const { actions, world: noted } = noting(world);
    await probe(still, { world: noted, simulators: pool, partner: right, learners: [0] });
    expect(actionsOf(actions, 0)).toEqual(new Set([0]));
    expect(actionsOf(actions, 1)).toEqual(new Set([0, 2]));
  });

  it('must be given where it is trained along', async () => {
    await expect(probe(still, { simulators: [weighted(beside('trained'))], learners: [0] })).rejects.toThrow(
      expect.objectContaining({ code: 'DEFECT_INVARIANT' }),
    );
  });

  it('leaves nothing to measure where every learner is replaced', async () => {
    const replaced = simulatorOf(world, scripted(0, 'noop'));
    const measured = await probe(uniform, { simulators: [weighted(replaced)], learners: [0] });
    expect(measured).toMatchObject({ policyEntropy: NaN, dwelling: NaN, indifference: NaN });
  });

  it('takes illegal actions out of both looks, where a policy is not told of them', async () => {
    const field = FAMILIES['foraging']!;
    const foraging = field.open(field.optionsSchema.parse({ players: 2, field_size: 6, food: 1 }));
    const settings = { world: foraging, simulators: [weighted(simulatorOf(foraging))] };
    const { indifference, policyEntropy } = await probe(
      policy(() => [0, 0, 0, 0, 0, 0], foraging),
      settings,
    );
    expect(policyEntropy).toBeLessThan(Math.log(6) - 0.05);
    expect(indifference).toBe(1);
  });
});
function withRules(simulator: SimulatorData, rules: Readonly<Record<string, number>>): SimulatorData {
  return { ...simulator, rules: { ...simulator.rules, ...rules } };
}
