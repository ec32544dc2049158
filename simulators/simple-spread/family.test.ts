import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Batch, World } from '../contract.ts';
import { PERTURBATIONS } from '../mpe/parameters.ts';
import { keyFrom } from '../random.ts';
import { simpleSpread } from './family.ts';
import { RULES, SCRIPTED_POLICIES, START_WIDTHS } from './parameters.ts';
import type { Start } from '../mpe/simulator-data.ts';

type Pair = [number, number];

function open(options: Record<string, unknown> = {}): World {
  return simpleSpread.open(simpleSpread.optionsSchema.parse(options));
}

/** One environment of a simulator, started under a key. */
function begin(world: World, simulator: unknown, seed = 1): Batch {
  const batch = world.createBatch(1);
  batch.reset(0, world.compile(world.simulatorSchema.parse(simulator)), keyFrom(seed));
  return batch;
}

function stateOf(batch: Batch): Start {
  return batch.state(0) as Start;
}

function step(batch: Batch, ...actions: number[]): void {
  void batch.step(Int32Array.from(actions));
}

/** The first issue of a simulator that is refused: where, and what is said. */
function complaint(world: World, simulator: unknown): string {
  const { error } = world.simulatorSchema.safeParse(simulator);
  return error === undefined ? 'accepted' : `${error.issues[0]!.path.join('.')}: ${error.issues[0]!.message}`;
}

const distance = ([ax, ay]: Pair, [bx, by]: Pair) => Math.hypot(ax - bx, ay - by);

describe('simulator data', () => {
  const world = open({ agents: 2 });

  it('writes every default out', () => {
    expect(world.simulatorSchema.parse({})).toEqual({
      partners: {},
      rules: Object.fromEntries(Object.entries(RULES).map(([name, entry]) => [name, entry.default])),
      scenarios: {
        start: {
          agents: [
            [0, 0],
            [0, 0],
          ],
          velocities: [
            [0, 0],
            [0, 0],
          ],
          landmarks: [
            [0, 0],
            [0, 0],
          ],
        },
        ...Object.fromEntries(Object.entries(START_WIDTHS).map(([name, entry]) => [name, entry.default])),
      },
      rewards: { local_ratio: 0.5, coverage: 1, collision: 1 },
      perturbations: Object.fromEntries(Object.entries(PERTURBATIONS).map(([name, entry]) => [name, entry.default])),
    });
  });

  it.each([
    [{ kind: 'scripted', name: 'nearest' }, /^partners.1.name: .*'nearest_landmark'/],
    [{ kind: 'script', name: 'noop' }, /^partners.1.kind: .*'scripted' \| 'self' \| 'policy'/],
    [{ kind: 'scripted', name: 'fixed_landmark' }, /^partners.1.landmark: .*number/],
    [{ kind: 'scripted', name: 'fixed_landmark', landmark: 2 }, /^partners.1.landmark: .*<=1/],
    [{ kind: 'scripted', name: 'random', epsilon: 0.1 }, /^partners.1: .*epsilon/],
    [{ kind: 'scripted', name: 'weighted' }, /^partners.1.weights: /],
    [{ kind: 'self', file: 'a' }, /^partners.1: .*file/],
    [{ kind: 'policy' }, /^partners.1.artifact: .*by `file`/],
  ])('says of the partner %j what is wrong in the branch it chose', (partner, expected) => {
    expect(complaint(world, { partners: { 1: partner } })).toMatch(expected);
  });

  it('names the seats there are when a partner has none', () => {
    expect(complaint(world, { partners: { 2: { kind: 'self' } } })).toBe(
      'partners: There is no seat 2; seats are 0 … 1',
    );
  });

  it('puts every number where its path says, and the place of the name for a choice', () => {
    const partner = { kind: 'scripted', name: 'weighted', weights: { y: -3 }, epsilon: 0.25, lateness: 4, speed: 0.5 };
    const vector = world.compile(
      world.simulatorSchema.parse({ partners: { 1: partner }, rules: { mass: 2 }, perturbations: { action_delay: 3 } }),
    );
    const at = (path: string) => vector[world.parameters.findIndex((parameter) => parameter.path === path)];
    expect(at('partners.0.name')).toBe(0);
    expect(at('partners.0.speed')).toBe(1);
    expect(at('partners.1.name')).toBe(1 + SCRIPTED_POLICIES.indexOf('weighted'));
    expect(at('partners.1.epsilon')).toBe(0.25);
    expect(at('partners.1.lateness')).toBe(4);
    expect(at('partners.1.speed')).toBe(0.5);
    expect(at('partners.1.weights.y')).toBe(-3);
    expect(at('rules.mass')).toBe(2);
    expect(at('perturbations.action_delay')).toBe(3);
  });

  it('leaves seats that `self` and `policy` hold to the outside', () => {
    const batch = begin(world, { partners: { 0: { kind: 'self' }, 1: { kind: 'policy', artifact: 'a'.repeat(64) } } });
    expect([...batch.external]).toEqual([1, 1]);
  });

  it('has no built-in simulator for a seat that does not exist', () => {
    expect(Object.keys(world.catalogue)).not.toContain('sim_a');
    const forms = ['sim_a', 'sim_b', 'sim_c', ...Array.from({ length: 8 }, (_, k) => `sim_variant_${k + 1}`)];
    expect(Object.keys(open().catalogue)).toEqual(expect.arrayContaining(forms));
  });
});

describe('starts', () => {
  const world = open();
  const start = {
    agents: [
      [0.1, 0.2],
      [0.3, 0.4],
      [-2, 1],
    ],
    landmarks: [
      [1, 1],
      [0, 0],
      [-1, 2],
    ],
  };

  it('lie within the half widths about the start, and fill them', () => {
    const center: Pair[] = [
      [1, -1],
      [0, 0],
      [-0.5, 2],
    ];
    const scenarios = { start: { agents: center, landmarks: center }, agent_half_width: 0.5, velocity_half_width: 0.1 };
    let widest = 0;
    for (let seed = 0; seed < 300; seed += 1) {
      const { agents, velocities, landmarks } = stateOf(begin(world, { scenarios }, seed));
      agents.forEach(([x, y], seat) => {
        const offset = Math.max(Math.abs(x - center[seat]![0]), Math.abs(y - center[seat]![1]));
        expect(offset).toBeLessThanOrEqual(0.5);
        widest = Math.max(widest, offset);
      });
      expect(Math.max(...velocities.flat().map(Math.abs))).toBeLessThanOrEqual(0.1);
      expect(landmarks).toEqual(center);
    }
    expect(widest).toBeGreaterThan(0.49);
  });

  it('are exactly the start when nothing else is said', () => {
    const { agents, landmarks, velocities } = stateOf(begin(world, { scenarios: { start } }));
    expect({ agents, landmarks }).toEqual(start);
    expect(velocities.flat()).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('may be placed by hand', () => {
    const batch = begin(world, {});
    batch.place(0, world.startSchema.parse(start));
    expect(stateOf(batch)).toMatchObject({ ...start, step: 0, pending_actions: [] });
  });
});

describe('physics', () => {
  it('keeps two agents at one point finite', () => {
    const world = open({ agents: 2 });
    const batch = begin(world, {
      scenarios: {
        start: {
          agents: [
            [0, 0],
            [0, 0],
          ],
          landmarks: [
            [0, 0],
            [1, 1],
          ],
        },
      },
    });
    for (let count = 0; count < 25; count += 1) step(batch, 0, 0);
    expect(stateOf(batch).agents.flat().every(Number.isFinite)).toBe(true);
  });

  it('stays finite under the extremes of every parameter', () => {
    const world = open({ agents: 4, episode_steps: 100 });
    const scripted = world.parameters.map(({ path }) => path.startsWith('partners.'));
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 200, maxLength: 200 }), fc.nat(), (highs, seed) => {
        const batch = world.createBatch(1);
        const vector = Float64Array.from(world.parameters, ({ low, high }, index) => {
          return highs[index % highs.length]! && !scripted[index] ? high : low;
        });
        batch.reset(0, vector, keyFrom(seed));
        for (let count = 0; count < 100; count += 1) step(batch, ...[0, 1, 2, 3].map((k) => (count + k) % 5));
        expect(Object.values(stateOf(batch)).flat(2).every(Number.isFinite)).toBe(true);
      }),
    );
  });

  it('permutes results when seats are permuted', () => {
    const world = open({ agents: 4 });
    const order = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });
    const walk = fc.array(fc.array(fc.nat(4), { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(order, walk, fc.nat(), (seats, actions, seed) => {
        const crowded = { scenarios: { agent_half_width: 0.3 } };
        const [plain, permuted] = [begin(world, crowded, seed), begin(world, crowded, seed)];
        const start = stateOf(plain);
        permuted.place(0, { ...start, agents: seats.map((seat) => start.agents[seat]!) });
        for (const joint of actions) {
          step(plain, ...joint);
          step(permuted, ...seats.map((seat) => joint[seat]!));
        }
        // Forces of several contacts are added in the order of the seats, so the last bits may differ.
        seats.forEach((seat, index) => {
          expect(distance(stateOf(permuted).agents[index]!, stateOf(plain).agents[seat]!)).toBeLessThan(1e-9);
          expect(permuted.rewards[index]).toBeCloseTo(plain.rewards[seat]!, 9);
        });
      }),
      { numRuns: 50 },
    );
  });

  it('refuses an action there is not', () => {
    const batch = begin(open({ agents: 2 }), {});
    for (const wrong of [-1, 5]) expect(() => step(batch, 0, wrong)).toThrow(/is no action/);
  });
});

describe('rewards', () => {
  const world = open();

  it('are the weighted formula, as a slow loop computes it', () => {
    const weight = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(weight, weight, weight, fc.nat(), (local_ratio, coverage, collision, seed) => {
        const rewards = { local_ratio, coverage, collision };
        const batch = begin(world, { rewards, scenarios: { agent_half_width: 0.4 } }, seed);
        step(batch, 1, 2, 3);
        const { agents, landmarks } = stateOf(batch);
        const uncovered = landmarks.map((landmark) => Math.min(...agents.map((agent) => distance(agent, landmark))));
        const shared = uncovered.reduce((sum, each) => sum + each, 0);
        agents.forEach((agent, seat) => {
          const touched = agents.filter((other, index) => index !== seat && distance(agent, other) < 0.3).length;
          const expected = -coverage * shared * (1 - local_ratio) - collision * touched * local_ratio;
          expect(batch.rewards[seat]).toBeCloseTo(expected, 9);
        });
      }),
    );
  });

  it('succeed exactly when every landmark has an agent within 0.1', () => {
    const landmarks: Pair[] = [
      [0, 0],
      [1, 0],
      [0, 1],
    ];
    const near = (gap: number) => ({
      landmarks,
      agents: landmarks.map(([x, y], k): Pair => (k === 1 ? [x + gap, y] : [x, y])),
    });
    for (const [gap, success] of [
      [0.09, 1],
      [0.11, 0],
    ] as const) {
      const batch = begin(world, {});
      batch.place(0, world.startSchema.parse(near(gap)));
      expect(batch.success[0]).toBe(success);
      step(batch, 0, 0, 0);
      expect(batch.success[0]).toBe(success);
    }
  });
});

describe('scripted partners', () => {
  const world = open({ agents: 2, episode_steps: 60 });
  const landmarks: Pair[] = [
    [-0.8, 0.3],
    [0.7, -0.6],
  ];
  const start = {
    agents: [
      [-0.2, 0.9],
      [0.25, -0.1],
    ],
    landmarks,
  };

  /** Index of the landmark the partner on seat 1 stands at after 60 steps, −1 for none. */
  function destination(partner: Record<string, unknown>, seed = 1): number {
    const simulator = { partners: { 1: { kind: 'scripted', ...partner } }, scenarios: { start } };
    const batch = begin(world, simulator, seed);
    for (let count = 0; count < 60; count += 1) step(batch, 0, 0);
    return landmarks.findIndex((landmark) => distance(landmark, stateOf(batch).agents[1]!) < 0.1);
  }

  it.each([
    [{ name: 'noop' }, -1],
    [{ name: 'nearest_landmark' }, 1],
    [{ name: 'fixed_landmark', landmark: 0 }, 0],
    [{ name: 'fixed_landmark', landmark: 1 }, 1],
    [{ name: 'leftmost_landmark' }, 0],
    [{ name: 'rightmost_landmark' }, 1],
    [{ name: 'topmost_landmark' }, 0],
    [{ name: 'bottommost_landmark' }, 1],
    [{ name: 'weighted', weights: { x: -1 } }, 0],
    [{ name: 'weighted', weights: { y: -1 } }, 1],
    [{ name: 'weighted', weights: { distance_self: -1 } }, 1],
    [{ name: 'weighted', weights: { distance_learner: -1 } }, 0],
    [{ name: 'weighted', weights: { distance_learner: 1 } }, 1],
    [{ name: 'weighted', weights: { index: 1 } }, 1],
    [{ name: 'weighted', weights: { index: -1 } }, 0],
    [{ name: 'weighted', weights: { x: -1, index: 2 } }, 1],
  ])('%j ends at landmark %i', (partner, expected) => {
    expect(destination(partner)).toBe(expected);
    if (partner.name !== 'noop') expect(destination({ ...partner, lateness: 10, speed: 0.7 })).toBe(expected);
  });

  it('never rests at a landmark when it always wants the farthest', () => {
    expect(destination({ name: 'farthest_landmark' })).toBe(-1);
  });

  it('goes to every landmark in some episode when the landmark is drawn, and to one within an episode', () => {
    const ends = Array.from({ length: 30 }, (_, seed) => destination({ name: 'random_landmark' }, seed));
    expect(new Set(ends)).toEqual(new Set([0, 1]));
  });

  /** Actions of seat 1, read off its velocity in a world that stops at once: the velocity is the last push. */
  function actionsOf(partner: Record<string, unknown>, seed: number): number[] {
    const simulator = {
      partners: { 1: { kind: 'scripted', ...partner } },
      rules: { damping: 1 },
      scenarios: { start },
    };
    const batch = begin(world, simulator, seed);
    return Array.from({ length: 60 }, () => {
      step(batch, 0, 0);
      const [x, y] = stateOf(batch).velocities[1]!;
      return [
        [0, 0],
        [-0.5, 0],
        [0.5, 0],
        [0, -0.5],
        [0, 0.5],
      ].findIndex(([px, py]) => px === x && py === y);
    });
  }

  it('idle while they are late', () => {
    const actions = actionsOf({ name: 'random', lateness: 25 }, 4);
    expect(actions.slice(0, 25)).toEqual(new Array(25).fill(0));
    expect(actions.slice(25).some((action) => action !== 0)).toBe(true);
  });

  it('act at random with probability epsilon', () => {
    for (const epsilon of [0, 0.3, 1]) {
      const actions = Array.from({ length: 40 }, (_, seed) => actionsOf({ name: 'noop', epsilon }, seed)).flat();
      const moving = actions.filter((action) => action > 0).length / actions.length;
      // Four of five random actions move; four standard errors.
      const expected = 0.8 * epsilon;
      const error = Math.sqrt((expected * (1 - expected)) / actions.length);
      expect(Math.abs(moving - expected)).toBeLessThanOrEqual(4 * error);
    }
  });

  it('draw the same actions whoever else plays', () => {
    const three = open();
    const path = (others: Record<string, unknown>) => {
      const batch = begin(three, { partners: { 2: { kind: 'scripted', name: 'random' }, ...others } }, 9);
      const far = stateOf(batch);
      batch.place(0, {
        ...far,
        agents: [
          [-3, 0],
          [3, 0],
          [0, 3],
        ],
      });
      for (let count = 0; count < 10; count += 1) step(batch, 0, 0, 0);
      return stateOf(batch).agents[2];
    };
    expect(path({ 1: { kind: 'scripted', name: 'random' } })).toEqual(path({}));
  });

  it('push with the share of the force that `speed` says', () => {
    const speedAfterOneStep = (speed: number) => {
      const partner = { kind: 'scripted', name: 'rightmost_landmark', speed };
      const batch = begin(world, { partners: { 1: partner }, scenarios: { start } });
      step(batch, 0, 0);
      return Math.hypot(...stateOf(batch).velocities[1]!);
    };
    expect(speedAfterOneStep(1)).toBe(0.5);
    expect(speedAfterOneStep(0.4)).toBeCloseTo(0.2, 12);
    expect(speedAfterOneStep(0)).toBe(0);
  });

  it('leave the speed of seats driven from outside alone, whatever stands in the vector', () => {
    const vector = world.compile(world.simulatorSchema.parse({}));
    vector[world.parameters.findIndex(({ path }) => path === 'partners.0.speed')] = 0.2;
    const batch = world.createBatch(1);
    batch.reset(0, vector, keyFrom(1));
    batch.place(0, world.startSchema.parse(start));
    step(batch, 2, 0);
    expect(stateOf(batch).velocities[0]).toEqual([0.5, 0]);
  });

  it('may come from a draw written into the parameter vector', () => {
    const vector = world.compile(world.simulatorSchema.parse({ scenarios: { start } }));
    const write = (path: string, value: number) => {
      vector[world.parameters.findIndex((parameter) => parameter.path === path)] = value;
    };
    write('partners.1.name', 1 + SCRIPTED_POLICIES.indexOf('fixed_landmark'));
    write('partners.1.landmark', 0);
    const batch = world.createBatch(1);
    batch.reset(0, vector, keyFrom(1));
    expect([...batch.external]).toEqual([1, 0]);
    for (let count = 0; count < 60; count += 1) step(batch, 0, 0);
    expect(distance(stateOf(batch).agents[1]!, landmarks[0]!)).toBeLessThan(0.1);
  });
});

describe('perturbations', () => {
  it('delay the actions given from outside by whole steps, the agent idling until then', () => {
    const world = open({ agents: 2 });
    const walk = [1, 4, 2, 2, 3, 1, 0, 4];
    const path = (simulator: unknown, actions: number[]) => {
      const batch = begin(world, simulator);
      return actions.map((action) => {
        step(batch, action, 0);
        return stateOf(batch).agents;
      });
    };
    const shifted = [0, 0, 0, ...walk.slice(0, -3)];
    expect(path({ perturbations: { action_delay: 3 } }, walk)).toEqual(path({}, shifted));
  });

  it('add normal noise of the given deviation to what is sensed, not to the silent channel', () => {
    const world = open();
    const size = world.groups[0]!.observationSize;
    const channel = world.groups[0]!.observation.find(({ name }) => name === 'communication')!;
    const see = (observation_noise: number, seed: number) => {
      const out = new Float64Array(3 * size);
      begin(world, { perturbations: { observation_noise } }, seed).observe(0, out);
      return out;
    };
    const errors: number[] = [];
    for (let seed = 0; seed < 200; seed += 1) {
      const [clear, noisy] = [see(0, seed), see(0.2, seed)];
      noisy.forEach((value, index) => {
        if (index % size >= channel.offset) expect(value).toBe(0);
        else errors.push(value - clear[index]!);
      });
    }
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
    const deviation = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
    expect(Math.abs(mean)).toBeLessThan((4 * 0.2) / Math.sqrt(errors.length));
    expect(Math.abs(deviation - 0.2)).toBeLessThan((4 * 0.2) / Math.sqrt(2 * errors.length));
    expect(new Set(errors).size).toBeGreaterThan(0.99 * errors.length);
  });
});
