import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ActionArray, Batch, Family, World } from '../contract.ts';
import { keyFrom, RandomStream } from '../random.ts';
import { simpleSpread } from '../simple-spread/family.ts';
import { simpleTag } from '../simple-tag/family.ts';
import { createMoves, writeMove } from './moves.ts';
import type { Start } from './simulator-data.ts';

// What `continuous_actions` makes of the worlds of MPE2.

type Pair = [number, number];

interface Episode {
  readonly family: 'simple_spread' | 'simple_tag';
  readonly options: Readonly<Record<string, number>>;
  readonly agents: Pair[];
  readonly landmarks: Pair[];
  readonly actions: number[][][];
  readonly states: number[][][];
  readonly rewards: number[][];
}

interface Golden {
  readonly versions: { readonly mpe2: string };
  readonly episodes: readonly Episode[];
}

const golden = JSON.parse(
  gunzipSync(readFileSync(new URL('../../test/golden/mpe2-boxes.json.gz', import.meta.url))).toString(),
) as Golden;

const FAMILIES: readonly Family[] = [simpleSpread, simpleTag];

function open(family: Family, options: Readonly<Record<string, unknown>> = {}): World {
  return family.open(family.optionsSchema.parse({ continuous_actions: true, ...options }));
}

/** `family_options` that MPE2 has other names for. */
function optionsOf({ family, options, landmarks }: Episode): Readonly<Record<string, unknown>> {
  return family === 'simple_spread' ? { agents: options['N'] } : { ...options, num_obstacles: landmarks.length };
}

function begin(world: World, simulator: unknown, seed: number): Batch {
  const batch = world.createBatch(1);
  batch.reset(0, world.compile(world.simulatorSchema.parse(simulator)), keyFrom(seed));
  return batch;
}

const told = (batch: Batch) => batch.state(0) as Start;

/** What is told of a state beside what was given and done. */
const withoutActions = ({ last_actions: _last, pending_actions: _pending, ...rest }: Start) => rest;

function outcome(batch: Batch): unknown {
  return { state: withoutActions(told(batch)), rewards: [...batch.rewards], success: [...batch.success] };
}

describe.each(FAMILIES)('$name with boxes against MPE2 1.1.1', (family) => {
  const seen = { episodes: 0, steps: 0, numbers: 0, largest: 0 };

  function compare(ours: readonly number[], theirs: readonly number[]): void {
    expect(ours).toHaveLength(theirs.length);
    theirs.forEach((expected, index) => {
      const error = Math.abs(ours[index]! - expected);
      seen.numbers += 1;
      // A NaN on either side must count as an error, which no comparison with it would.
      seen.largest = Number.isNaN(error) ? Infinity : Math.max(seen.largest, error);
    });
  }

  beforeAll(() => {
    for (const episode of golden.episodes.filter((each) => each.family === family.name)) {
      const { agents, landmarks, actions, states, rewards } = episode;
      const world = open(family, optionsOf(episode));
      const batch = begin(world, {}, 0);
      batch.place(0, world.startSchema.parse({ agents, landmarks }));
      actions.forEach((joint, step) => {
        void batch.step(Float32Array.from(joint.flat()));
        const { agents: places, velocities } = told(batch);
        compare(
          places.flatMap((place, seat) => [...place, ...velocities[seat]!]),
          states[step]!.flat(),
        );
        compare([...batch.rewards], rewards[step]!);
        seen.steps += 1;
      });
      seen.episodes += 1;
    }
  });

  it('gives the same states and rewards within 1e-12 over 30 episodes', () => {
    expect(golden.versions.mpe2).toBe('1.1.1');
    expect(seen).toMatchObject({ episodes: 30, steps: 750 });
    expect(seen.numbers).toBeGreaterThan(10_000);
    expect(seen.largest).toBeLessThanOrEqual(1e-12);
  });
});

describe.each(FAMILIES)('$name with boxes', (family) => {
  const world = open(family);
  const { seatCount } = world;

  it('has five numbers from 0 to 1 for every seat, and none are illegal', () => {
    for (const { actions, masked } of world.groups) {
      expect(actions).toEqual({ kind: 'box', low: [0, 0, 0, 0, 0], high: [1, 1, 1, 1, 1] });
      expect(masked).toBeUndefined();
    }
  });

  it('goes as the world of moves goes when every point is a move, scripted partners included', () => {
    const moves = family.open(family.optionsSchema.parse({}));
    for (const [name, { simulator }] of Object.entries(world.catalogue)) {
      const batches = [begin(moves, simulator, 3), begin(world, simulator, 3)] as const;
      const random = new RandomStream(keyFrom(4));
      const points = createMoves(seatCount, true);
      for (let step = 0; step < world.episodeStepsMax; step += 1) {
        const chosen = Int32Array.from({ length: seatCount }, () => random.nextInteger(5));
        chosen.forEach((move, seat) => writeMove(move, points, seat, 5));
        void batches[0].step(chosen);
        void batches[1].step(points);
        expect(outcome(batches[1]), name).toEqual(outcome(batches[0]));
        batches[0].external.forEach((isExternal, seat) => {
          if (isExternal === 1) return;
          const point = createMoves(1, true);
          writeMove(batches[0].actions[seat]!, point, 0, 5);
          expect(batches[1].actions.slice(5 * seat, 5 * seat + 5), name).toEqual(point);
        });
      }
    }
  });

  const anything = (random: RandomStream): ActionArray =>
    Float32Array.from({ length: 5 * seatCount }, () => random.nextUniform());

  it('holds an action back as a whole for as long as the delay is, and repeats one as a whole where it sticks', () => {
    const late = begin(world, { perturbations: { action_delay: 3 } }, 1);
    const sticky = begin(world, { perturbations: { sticky_actions: 0.5 } }, 1);
    const random = new RandomStream(keyFrom(2));
    const given: ActionArray[] = [];
    const repeated = [0, 0];
    for (let step = 0; step < world.episodeStepsMax; step += 1) {
      const before = sticky.actions.slice();
      given.push(anything(random));
      void late.step(given[step]!);
      void sticky.step(given[step]!);
      expect(late.actions).toEqual(given[step - 3] ?? createMoves(seatCount, true));
      for (let seat = 0; seat < seatCount; seat += 1) {
        const share = (actions: ActionArray) => [...actions.subarray(5 * seat, 5 * seat + 5)];
        const isNew = share(sticky.actions).join() === share(given[step]!).join();
        expect(share(sticky.actions)).toEqual(share(isNew ? given[step]! : before));
        repeated[isNew ? 0 : 1]! += 1;
      }
    }
    expect(Math.min(...repeated)).toBeGreaterThan(20);
  });

  it('refuses numbers beyond the box, and what is no number', () => {
    for (const wrong of [-0.001, 1.001, Number.NaN]) {
      const actions = createMoves(seatCount, true);
      actions[5 * seatCount - 1] = wrong;
      expect(() => void begin(world, {}, 1).step(actions)).toThrow(/no action/);
    }
  });
});
