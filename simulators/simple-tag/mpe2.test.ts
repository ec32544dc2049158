import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { keyFrom } from '../random.ts';
import { simpleTag } from './family.ts';
import { RULES } from './parameters.ts';
import type { TagStart } from './rewards.ts';

type Pair = [number, number];

interface Episode {
  readonly num_adversaries: number;
  readonly num_good: number;
  readonly agents: Pair[];
  readonly landmarks: Pair[];
  readonly actions: number[][];
  readonly states: number[][][];
  readonly rewards: number[][];
  readonly observations: number[][];
}

interface Golden {
  readonly versions: { readonly mpe2: string };
  readonly episodes: readonly Episode[];
}

const golden = JSON.parse(
  gunzipSync(readFileSync(new URL('../../test/golden/simple-tag-mpe2.json.gz', import.meta.url))).toString(),
) as Golden;

/** Largest absolute errors against MPE2, and how many numbers differ at all. */
const error = { state: 0, observation: 0, reward: 0 };
const unequal = { state: 0, observation: 0, reward: 0 };
/** What the comparison came across. */
const seen = { episodes: 0, steps: 0, ends: 0, numbers: 0, catches: 0, agentContacts: 0, obstacleContacts: 0 };
const boundary = { none: 0, ramp: 0, exponential: 0 };
const topSpeed = { adversary: 0, prey: 0 };
const sizes = new Set<string>();

function compare(kind: 'state' | 'observation' | 'reward', ours: readonly number[], theirs: readonly number[]): void {
  expect(ours).toHaveLength(theirs.length);
  theirs.forEach((expected, index) => {
    const difference = Math.abs(ours[index]! - expected);
    seen.numbers += 1;
    if (difference !== 0) unequal[kind] += 1;
    // A NaN on either side must count as an error, which no comparison with it would.
    error[kind] = Number.isNaN(difference) ? Infinity : Math.max(error[kind], difference);
  });
}

const distance = ([ax, ay]: readonly number[], [bx, by]: readonly number[]) => Math.hypot(ax! - bx!, ay! - by!);

function count(episode: Episode, states: readonly number[][]): void {
  const isPrey = (seat: number) => seat >= episode.num_adversaries;
  const sizeOf = (seat: number) => (isPrey(seat) ? RULES.prey_size.default : RULES.adversary_size.default);
  states.forEach((state, one) => {
    states.slice(0, one).forEach((before, other) => {
      if (distance(state, before) >= sizeOf(one) + sizeOf(other)) return;
      seen[isPrey(one) !== isPrey(other) ? 'catches' : 'agentContacts'] += 1;
    });
    seen.obstacleContacts += episode.landmarks.filter(
      (landmark) => distance(state, landmark) < sizeOf(one) + RULES.obstacle_size.default,
    ).length;
    const [x, y, velocityX, velocityY] = state as [number, number, number, number];
    const limit = isPrey(one) ? RULES.prey_max_speed.default : RULES.adversary_max_speed.default;
    if (Math.abs(Math.hypot(velocityX, velocityY) - limit) < 1e-9) topSpeed[isPrey(one) ? 'prey' : 'adversary'] += 1;
    if (!isPrey(one)) return;
    for (const coordinate of [Math.abs(x), Math.abs(y)]) {
      boundary[coordinate < 0.9 ? 'none' : coordinate < 1 ? 'ramp' : 'exponential'] += 1;
    }
  });
}

function replay(episode: Episode): void {
  const { num_adversaries, num_good, agents, landmarks } = episode;
  const world = simpleTag.open({ num_adversaries, num_good, num_obstacles: landmarks.length });
  const batch = world.createBatch(1);
  const outs = world.groups.map(({ seats, observationSize }) => new Float64Array(seats.length * observationSize));
  batch.reset(0, world.compile(world.simulatorSchema.parse({})), keyFrom(0));
  batch.place(0, world.startSchema.parse({ agents, landmarks }));
  episode.actions.forEach((actions, step) => {
    void batch.step(Int32Array.from(actions));
    const state = batch.state(0) as unknown as TagStart;
    const seat = step % world.seatCount;
    const group = world.groups.findIndex(({ seats }) => seats.includes(seat));
    const { observationSize: size, seats } = world.groups[group]!;
    const at = seats.indexOf(seat) * size;
    batch.observe(group, outs[group]!);
    compare(
      'state',
      state.agents.flatMap((position, index) => [...position, ...state.velocities[index]!]),
      episode.states[step]!.flat(),
    );
    compare('reward', [...batch.rewards], episode.rewards[step]!);
    compare('observation', [...outs[group]!.subarray(at, at + size)], episode.observations[step]!);
    count(episode, episode.states[step]!);
    seen.steps += 1;
    seen.ends += batch.truncated[0]!;
  });
  seen.episodes += 1;
  sizes.add(`${num_adversaries} ${num_good} ${landmarks.length}`);
}

describe('simple_tag against MPE2 1.1.1', () => {
  beforeAll(() => golden.episodes.forEach(replay));

  it('is compared over 100 whole episodes of nine sizes', () => {
    expect(golden.versions.mpe2).toBe('1.1.1');
    expect(seen).toMatchObject({ episodes: 100, steps: 2500, ends: 100 });
    expect(sizes.size).toBe(9);
    expect(seen.numbers).toBeGreaterThan(50_000);
  });

  it('is compared over catches, other contacts, obstacles, top speeds and every part of the boundary', () => {
    const { catches, agentContacts, obstacleContacts } = seen;
    const rare = { catches, agentContacts, obstacleContacts, ...topSpeed, ...boundary };
    for (const [name, times] of Object.entries(rare)) expect(times, name).toBeGreaterThan(100);
  });

  it.each(['state', 'observation', 'reward'] as const)('gives the same %s within 1e-12', (kind) => {
    expect(error[kind]).toBeLessThanOrEqual(1e-12);
  });

  it('differs from the bits of MPE2 only by the contact forces that vanish, and by the last bit of exp', () => {
    expect(Math.max(error.state, error.observation)).toBeLessThan(1e-18);
    expect(error.reward).toBeLessThan(1e-14);
    expect(unequal.reward).toBeLessThanOrEqual(boundary.exponential);
    expect((unequal.state + unequal.observation) / seen.numbers).toBeLessThan(0.02);
  });
});
