import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Batch, World } from '../contract.ts';
import { keyFrom } from '../random.ts';
import { simpleTag } from './family.ts';
import { PREY_WEIGHTS, RULES, SCRIPTED_POLICIES } from './parameters.ts';
import type { TagStart } from './rewards.ts';

type Pair = [number, number];
type Data = Readonly<Record<string, unknown>>;

function open(options: Data = {}): World {
  return simpleTag.open(simpleTag.optionsSchema.parse(options));
}

function begin(world: World, simulator: unknown, seed = 1): Batch {
  const batch = world.createBatch(1);
  batch.reset(0, world.compile(world.simulatorSchema.parse(simulator)), keyFrom(seed));
  return batch;
}

const stateOf = (batch: Batch) => batch.state(0) as unknown as TagStart;
const scripted = (name: string, numbers: Data = {}) => ({ kind: 'scripted', name, ...numbers });
const distance = ([ax, ay]: Pair, [bx, by]: Pair) => Math.hypot(ax - bx, ay - by);

function step(batch: Batch, ...actions: number[]): void {
  void batch.step(Int32Array.from(actions));
}

describe('the world', () => {
  it.each([
    [{}, [16, 14]],
    [{ num_adversaries: 1, num_obstacles: 0 }, [8, 6]],
    [{ num_adversaries: 2, num_good: 3, num_obstacles: 1 }, [20, 18]],
  ])('with %j has adversaries first, prey after them, and observations of %j numbers', (options, observationSizes) => {
    const world = open(options);
    const [adversaries, prey] = world.groups;
    expect(world.groups.map(({ role }) => role)).toEqual(['adversary', 'prey']);
    expect([...adversaries!.seats, ...prey!.seats]).toEqual(Array.from({ length: world.seatCount }, (_, seat) => seat));
    expect(adversaries!.seats).toHaveLength(world.options['num_adversaries'] as number);
    expect(world.groups.map(({ observationSize }) => observationSize)).toEqual(observationSizes);
    expect(world.cooperative).toBe(false);
  });

  it('starts agents within the square, obstacles a little farther in', () => {
    const world = open();
    const widest = { agents: 0, landmarks: 0 };
    for (let seed = 0; seed < 300; seed += 1) {
      const state = stateOf(begin(world, {}, seed));
      for (const kind of ['agents', 'landmarks'] as const) {
        widest[kind] = Math.max(widest[kind], ...state[kind].flat().map(Math.abs));
      }
      expect(state.velocities.flat().every((component) => component === 0)).toBe(true);
    }
    expect(widest.agents).toBeGreaterThan(0.99);
    expect(widest.agents).toBeLessThanOrEqual(1);
    expect(widest.landmarks).toBeGreaterThan(0.89);
    expect(widest.landmarks).toBeLessThanOrEqual(0.9);
  });
});

describe('partners', () => {
  const world = open();
  const complaint = (partners: Data) => {
    const { error } = world.simulatorSchema.safeParse({ partners });
    return error === undefined ? 'accepted' : `${error.issues[0]!.path.join('.')}: ${error.issues[0]!.message}`;
  };

  it('may have the policies of their role only; a policy of the other role is refused by its name', () => {
    for (const [seat, own, other] of [
      [0, 'adversary', 'prey'],
      [3, 'prey', 'adversary'],
    ] as const) {
      const names: readonly string[] = SCRIPTED_POLICIES[own];
      const foreign = SCRIPTED_POLICIES[other].filter((name) => !names.includes(name));
      expect(foreign.length).toBeGreaterThan(3);
      for (const name of foreign) {
        expect(complaint({ [seat]: scripted(name) })).toContain(
          `partners.${seat}.name: ${name} is a policy of the ${other}, this is a seat of the ${own}: ${names.join(', ')}`,
        );
      }
      for (const name of names.filter((each) => each !== 'corner' && each !== 'weighted')) {
        expect(complaint({ [seat]: scripted(name) }), name).toBe('accepted');
      }
    }
  });

  it.each([
    [3, scripted('flee'), /^partners.3.name: .*'flee_nearest'/],
    [3, scripted('corner'), /^partners.3.corner: /],
    [3, scripted('corner', { corner: 4 }), /^partners.3.corner: .*<=3/],
    [3, scripted('weighted'), /^partners.3.weights: /],
    [0, scripted('random', { epsilon: 0.1 }), /^partners.0: .*epsilon/],
    [0, scripted('chase', { action_bias: [1, 1] }), /^partners.0.action_bias: /],
    [0, { kind: 'script', name: 'chase' }, /^partners.0.kind: /],
  ])('on seat %i, %j are told what is wrong', (seat, partner, expected) => {
    expect(complaint({ [seat]: partner })).toMatch(expected);
  });
});

describe('rewards', () => {
  it('are the weighted formulas, as slow loops compute them', () => {
    const world = open({ num_adversaries: 3, num_good: 2 });
    const weight = fc.double({ min: 0, max: 10, noNaN: true });
    const seen = { touches: 0, outside: 0 };
    fc.assert(
      fc.property(weight, weight, weight, fc.nat(), (catching, boundary, shaping, seed) => {
        const rewards = { catch: catching, boundary, shaping };
        const batch = begin(world, { rewards, scenarios: { agent_half_width: seed % 2 ? 0.15 : 1.5 } }, seed);
        step(batch, 1, 2, 3, 4, 0);
        const { agents } = stateOf(batch);
        const [adversaries, prey] = [agents.slice(0, 3), agents.slice(3)];
        const touches = (one: Pair) => adversaries.filter((other) => distance(one, other) < 0.125).length;
        const cost = (at: number) => (at < 0.9 ? 0 : at < 1 ? (at - 0.9) * 10 : Math.min(Math.exp(2 * at - 2), 10));
        const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
        const nearest = adversaries.map((one) => Math.min(...prey.map((other) => distance(one, other))));
        const allTouches = sum(prey.map(touches));
        adversaries.forEach((_, seat) => {
          expect(batch.rewards[seat]).toBeCloseTo(catching * allTouches - shaping * sum(nearest), 9);
        });
        prey.forEach((one, index) => {
          const outside = sum(one.map((at) => cost(Math.abs(at))));
          const far = sum(adversaries.map((other) => distance(one, other)));
          expect(batch.rewards[3 + index]).toBeCloseTo(shaping * far - catching * touches(one) - boundary * outside, 9);
          seen.touches += touches(one);
          if (outside > 0) seen.outside += 1;
        });
      }),
      { numRuns: 200 },
    );
    expect(seen.touches).toBeGreaterThan(20);
    expect(seen.outside).toBeGreaterThan(20);
  });

  it('tell success from the first catch to the end of the episode, across a state told and placed', () => {
    const world = open({ num_adversaries: 1, num_obstacles: 0 });
    const near: Pair[] = [
      [0, 0],
      [0.2, 0],
    ];
    const batch = begin(world, { scenarios: { start: { agents: near, landmarks: [] } } });
    const successes = Array.from({ length: 25 }, (_, time) => {
      expect(batch.success[0]).toBe(stateOf(batch).caught ? 1 : 0);
      // To the right until it has touched, then away.
      step(batch, time < 5 ? 2 : 1, 0);
      return { success: batch.success[0], reward: batch.rewards[0]! };
    });
    const first = successes.findIndex(({ reward }) => reward > 0);
    expect(first).toBeGreaterThan(0);
    successes.forEach(({ success }, time) => expect(success).toBe(time < first ? 0 : 1));
    expect(successes.at(-1)!.reward).toBe(0);
    const other = begin(world, {});
    other.place(0, world.startSchema.parse(stateOf(batch)));
    expect(other.success[0]).toBe(1);
    other.place(0, world.startSchema.parse({ agents: near, landmarks: [] }));
    expect(other.success[0]).toBe(0);
  });
});

describe('scripted prey', () => {
  const world = open({ episode_steps: 60 });
  /** The path of the prey while the adversaries idle far away, to the right above. */
  function path(partner: Data, simulator: Data = {}, count = 60): Pair[] {
    const agents: Pair[] = [
      [2.5, 2.5],
      [2.7, 2.5],
      [2.5, 2.7],
      [0.1, 0.1],
    ];
    const landmarks: Pair[] = [
      [-2.5, 2.5],
      [-2.5, 2],
    ];
    const batch = begin(world, { partners: { 3: partner }, scenarios: { start: { agents, landmarks } }, ...simulator });
    return Array.from({ length: count }, () => {
      step(batch, 0, 0, 0, 0);
      return stateOf(batch).agents[3]!;
    });
  }

  it.each([
    [scripted('noop'), [0.1, 0.1]],
    [scripted('corner', { corner: 0 }), [-0.8, -0.8]],
    [scripted('corner', { corner: 1 }), [0.8, -0.8]],
    [scripted('corner', { corner: 2 }), [-0.8, 0.8]],
    [scripted('corner', { corner: 3 }), [0.8, 0.8]],
    [scripted('flee_nearest'), [-0.8, -0.8]],
    [scripted('flee_centroid'), [-0.8, -0.8]],
    [scripted('weighted', { weights: { x: 1 } }), [0.8, 0.1]],
    [scripted('weighted', { weights: { y: -3 } }), [0.1, -0.8]],
    [scripted('weighted', { weights: { x: -1, y: 1 } }), [-0.8, 0.8]],
    [scripted('weighted', { weights: { flee_nearest: -1 } }), [0.8, 0.8]],
    [scripted('weighted', { weights: {} }), [0.1, 0.1]],
  ] as [Data, Pair][])('%j comes to rest at %j', (partner, end) => {
    expect(distance(path(partner).at(-1)!, end)).toBeLessThan(0.12);
    if (partner['name'] === 'noop') return;
    const slow = { ...partner, lateness: 5, speed: 0.6 };
    expect(distance(path(slow).at(-1)!, end)).toBeLessThan(0.12);
    expect(distance(path(slow, {}, 5).at(-1)!, [0.1, 0.1])).toBe(0);
  });

  it.each([
    ['orbit_left', 1],
    ['orbit_right', -1],
  ])('%s goes round the origin, one way and near its circle', (name, sign) => {
    const places = path(scripted(name)).slice(15);
    const turned = places.slice(1).map(([x, y], index) => {
      const [beforeX, beforeY] = places[index]!;
      return Math.atan2(beforeX * y - beforeY * x, beforeX * x + beforeY * y);
    });
    const total = turned.reduce((sum, each) => sum + each, 0);
    expect(total * sign).toBeGreaterThan(1.5 * Math.PI);
    for (const place of places) expect(Math.hypot(...place)).toBeGreaterThan(0.4);
    for (const place of places) expect(Math.hypot(...place)).toBeLessThan(1);
  });

  it('zigzag turns from side to side again and again, on its way from end to end', () => {
    const places = path(scripted('zigzag'));
    const moves = places.slice(1).map(([x], index) => Math.sign(x - places[index]![0]));
    const turns = moves.slice(1).filter((move, index) => move !== moves[index]).length;
    expect(turns).toBeGreaterThanOrEqual(5);
    const heights = places.map(([, y]) => y);
    expect(Math.max(...heights) - Math.min(...heights)).toBeGreaterThan(0.8);
  });

  it('never goes faster than the share of its top speed that `speed` says', () => {
    for (const speed of [1, 0.5]) {
      const places = path(scripted('weighted', { weights: { x: 1 }, speed }), { rules: { prey_acceleration: 20 } }, 6);
      const speeds = places.slice(1).map((place, index) => distance(place, places[index]!) / RULES.time_step.default);
      expect(Math.max(...speeds)).toBeCloseTo(speed * RULES.prey_max_speed.default, 9);
    }
  });

  it('has a policy by weights for each direction that can be weighed', () => {
    expect(world.parameters.filter(({ path: name }) => name.startsWith('partners.3.weights.'))).toHaveLength(
      Object.keys(PREY_WEIGHTS).length,
    );
  });
});

describe('returns of scripted players, adversary / prey', () => {
  const world = open();
  const EPISODES = 400;

  /** Mean and standard error of the returns of an adversary and of the prey. */
  function play(adversary: Data, prey: Data) {
    const partners = { 0: adversary, 1: adversary, 2: adversary, 3: prey };
    const parameters = world.compile(world.simulatorSchema.parse({ partners }));
    const batch = world.createBatch(EPISODES);
    const returns = [new Float64Array(EPISODES), new Float64Array(EPISODES)];
    for (let episode = 0; episode < EPISODES; episode += 1) batch.reset(episode, parameters, keyFrom(1, episode));
    for (let time = 0; time < world.episodeStepsMax; time += 1) {
      void batch.step(new Int32Array(4 * EPISODES));
      [0, 3].forEach((seat, role) => {
        for (let episode = 0; episode < EPISODES; episode += 1) {
          returns[role]![episode]! += batch.rewards[4 * episode + seat]!;
        }
      });
    }
    return returns.map((values) => {
      const mean = values.reduce((sum, value) => sum + value, 0) / EPISODES;
      const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (EPISODES - 1);
      return { mean, standardError: Math.sqrt(variance / EPISODES) };
    });
  }

  // Reference values of MPE2, 400 episodes each. The look-aheads of `chase` and the stride of the prey were chosen by them.
  it.each([
    ['random', scripted('random'), scripted('random'), [3.1, -14.5]],
    ['chase against no-op', scripted('chase'), scripted('noop'), [63.8, -78.5]],
    ['chase against random', scripted('chase'), scripted('random'), [66.5, -82.5]],
    ['chase against flee', scripted('chase'), scripted('flee_nearest'), [49.7, -53.1]],
    ['chase against slower flee', scripted('chase'), scripted('flee_nearest', { speed: 0.75 }), [61.8, -65.6]],
    ['chase against slowest flee', scripted('chase'), scripted('flee_nearest', { speed: 0.5 }), [79.2, -83.4]],
  ] as [string, Data, Data, Pair][])('%s are the known ones within the noise', (_, adversary, prey, known) => {
    play(adversary, prey).forEach(({ mean, standardError }, role) => {
      // Both numbers are means of 400 episodes; four standard errors of their difference.
      expect(Math.abs(mean - known[role]!)).toBeLessThan(4 * Math.SQRT2 * standardError);
    });
  });

  it('are those of different adversaries: whoever leads and surrounds, rushes or guards plays otherwise', () => {
    const flee = scripted('flee_nearest');
    const [noop, guard, rush, chase] = ['noop', 'guard', 'rush', 'chase'].map(
      (name) => play(scripted(name), flee)[0]!.mean,
    );
    expect(noop).toBeLessThan(guard!);
    expect(guard).toBeLessThan(rush!);
    expect(rush).toBeLessThan(chase!);
    for (const name of ['intercept', 'surround']) {
      expect(play(scripted(name), flee)[0]!.mean, name).toBeGreaterThan(rush!);
    }
  });
});
