import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { keyFrom } from '../random.ts';
import { simpleSpread } from './family.ts';
import type { Start } from '../mpe/simulator-data.ts';

type Pair = [number, number];

interface Episode {
  readonly local_ratio: number;
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
  gunzipSync(readFileSync(new URL('../../test/golden/simple-spread-mpe2.json.gz', import.meta.url))).toString(),
) as Golden;

/** Largest absolute errors against MPE2, and what the comparison came across. */
const seen = { episodes: 0, steps: 0, numbers: 0, unequal: 0, contacts: 0, state: 0, observation: 0, reward: 0 };
const sizes = new Set<number>();

function compare(kind: 'state' | 'observation' | 'reward', ours: readonly number[], theirs: readonly number[]): void {
  expect(ours).toHaveLength(theirs.length);
  theirs.forEach((expected, index) => {
    const error = Math.abs(ours[index]! - expected);
    seen.numbers += 1;
    if (error !== 0) seen.unequal += 1;
    // A NaN on either side must count as an error, which no comparison with it would.
    seen[kind] = Number.isNaN(error) ? Infinity : Math.max(seen[kind], error);
  });
}

function countContacts(states: readonly number[][]): number {
  const touches = (a: number, b: number) =>
    Math.hypot(states[a]![0]! - states[b]![0]!, states[a]![1]! - states[b]![1]!) < 0.3;
  let count = 0;
  for (let a = 0; a < states.length; a += 1)
    for (let b = a + 1; b < states.length; b += 1) if (touches(a, b)) count += 1;
  return count;
}

function replay(episode: Episode): void {
  const world = simpleSpread.open({ agents: episode.agents.length });
  const batch = world.createBatch(1);
  const simulator = world.simulatorSchema.parse({ rewards: { local_ratio: episode.local_ratio } });
  const size = world.groups[0]!.observationSize;
  const out = new Float64Array(world.seatCount * size);
  batch.reset(0, world.compile(simulator), keyFrom(0));
  batch.place(0, world.startSchema.parse({ agents: episode.agents, landmarks: episode.landmarks }));
  episode.actions.forEach((actions, step) => {
    void batch.step(Int32Array.from(actions));
    batch.observe(0, out);
    const state = batch.state(0) as Start;
    const flat = state.agents.flatMap((position, seat) => [...position, ...state.velocities[seat]!]);
    const seat = step % world.seatCount;
    compare('state', flat, episode.states[step]!.flat());
    compare('reward', [...batch.rewards], episode.rewards[step]!);
    compare('observation', [...out.subarray(seat * size, (seat + 1) * size)], episode.observations[step]!);
    seen.contacts += countContacts(episode.states[step]!);
    seen.steps += 1;
  });
  seen.episodes += 1;
  sizes.add(world.seatCount);
}

describe('simple_spread against MPE2 1.1.1', () => {
  beforeAll(() => golden.episodes.forEach(replay));

  it('is compared over 100 episodes of every size, with contacts', () => {
    expect(golden.versions.mpe2).toBe('1.1.1');
    expect(seen.episodes).toBe(100);
    expect(seen.steps).toBe(2500);
    expect([...sizes].sort()).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(seen.contacts).toBeGreaterThan(500);
    expect(seen.numbers).toBeGreaterThan(100_000);
  });

  it.each(['state', 'observation', 'reward'] as const)('gives the same %s within 1e-12', (kind) => {
    expect(seen[kind]).toBeLessThanOrEqual(1e-12);
  });

  it('differs from the bits of MPE2 only by the contact forces that vanish', () => {
    expect(Math.max(seen.state, seen.observation)).toBeLessThan(1e-20);
    expect(seen.unequal / seen.numbers).toBeLessThan(0.01);
    expect(seen.reward).toBe(0);
  });
});
