import { describe, expect, it } from 'vitest';
import { openSpread, scripted, simulatorOf } from '../../test/support/small-learning.ts';
import { keyFrom } from '../../simulators/random.ts';
import { describeModel, NO_POLICIES, PartnerPolicies, type PolicyModel } from './partner-policies.ts';

const ARTIFACT = 'ab'.repeat(32);
const world = openSpread({ agents: 2 });
const { observationSize } = world.groups[0]!;
const ACTION_COUNT = 5;

/** A policy that always prefers one action, by far. */
function preferring(action: number, inputSize = observationSize): PolicyModel {
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
      logits: Float32Array.from({ length: rowCount * ACTION_COUNT }, (_, at) =>
        at % ACTION_COUNT === action ? 50 : 0,
      ),
      values: null,
      forward: async () => undefined,
      release: async () => undefined,
    }),
  };
}

const heldBy = (seat: number, more: object = {}) =>
  simulatorOf(world, { partners: { [seat]: { kind: 'policy', artifact: ARTIFACT, ...more } } });

async function actionsOf(simulators: ReturnType<typeof heldBy>[], episodes: number[]): Promise<number[]> {
  const environmentCount = episodes.length;
  const policies = await PartnerPolicies.create(world, simulators, {
    environmentCount,
    load: async () => preferring(3),
  });
  const batch = world.createBatch(environmentCount);
  episodes.forEach((simulator, environment) => {
    batch.reset(environment, world.compile(simulators[simulator]!), keyFrom(environment));
  });
  const actions = new Int32Array(environmentCount * world.seatCount).fill(-1);
  await policies.act(
    batch,
    {
      simulators: Int32Array.from(episodes),
      actionKeys: episodes.map((_, environment) => keyFrom(7, environment)),
      lengths: new Int32Array(environmentCount),
    },
    actions,
  );
  return [...actions];
}

describe('policy partners', () => {
  it('act on their seats, in the environments that hold their simulators, and nowhere else', async () => {
    const simulators = [heldBy(1), simulatorOf(world), heldBy(0), simulatorOf(world, scripted(1, 'noop'))];
    expect(await actionsOf(simulators, [0, 1, 2, 3])).toEqual([-1, 3, -1, -1, 3, -1, -1, -1]);
  });

  it('mix in random actions with probability epsilon', async () => {
    const episodes = Array<number>(2_000).fill(0);
    const actions = (await actionsOf([heldBy(1, { epsilon: 0.5 })], episodes)).filter((action) => action !== -1);
    const preferred = actions.filter((action) => action === 3).length / actions.length;
    // 0.5 by preference and a fifth of the other half by chance; four standard errors.
    expect(Math.abs(preferred - 0.6)).toBeLessThan(4 * Math.sqrt(0.24 / actions.length));
    expect(new Set(actions).size).toBe(ACTION_COUNT);
  });

  it('remember in each environment by itself, and forget where an episode starts', async () => {
    const remembered: number[][] = [];
    // What it remembers is how often it has acted.
    const counting: PolicyModel = {
      ...preferring(3),
      memorySize: 1,
      createActor: async (rowCount, actions) => {
        const memory = { size: 1, now: new Float32Array(rowCount), next: new Float32Array(rowCount) };
        const forward = async (): Promise<void> => {
          remembered.push([...memory.now]);
          memory.now.forEach((value, row) => (memory.next[row] = value + 1));
        };
        return { ...(await preferring(3).createActor(rowCount, actions)), memory, forward };
      },
    };
    const simulators = [heldBy(1)];
    const policies = await PartnerPolicies.create(world, simulators, {
      environmentCount: 2,
      load: async () => counting,
    });
    const batch = world.createBatch(2);
    for (const environment of [0, 1]) batch.reset(environment, world.compile(simulators[0]!), keyFrom(environment));
    for (const lengths of [
      [0, 0],
      [1, 1],
      [2, 0],
      [0, 1],
    ]) {
      const episodes = {
        simulators: new Int32Array(2),
        actionKeys: [keyFrom(1), keyFrom(2)],
        lengths: Int32Array.from(lengths),
      };
      await policies.act(batch, episodes, new Int32Array(2 * world.seatCount));
    }
    // As many as the steps of the running episode.
    expect(remembered).toEqual([
      [0, 0],
      [1, 1],
      [2, 0],
      [0, 1],
    ]);
  });

  it('fit a seat with or without the identity of a shared network, and nothing else', () => {
    expect(describeModel(world, 0, preferring(0)).identitySize).toBe(0);
    expect(describeModel(world, 0, preferring(0, observationSize + 2)).identitySize).toBe(2);
    expect(() => describeModel(world, 0, preferring(0, observationSize + 1))).toThrow(/takes \d+ features/);
  });

  it('are asked for only where there are some', async () => {
    const none = await PartnerPolicies.create(world, [simulatorOf(world)], { environmentCount: 1, load: NO_POLICIES });
    await none.release();
    const some = PartnerPolicies.create(world, [heldBy(1)], { environmentCount: 1, load: NO_POLICIES });
    await expect(some).rejects.toMatchObject({ code: 'DEFECT_INVARIANT' });
  });
});
