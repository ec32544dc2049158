import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { keyFrom } from '../random.ts';
import { ForagingBatch } from './batch.ts';
import { foraging } from './family.ts';
import { optionsSchema } from './options.ts';
import type { ScriptedPolicy } from './parameters.ts';
import { ACTION_COUNT } from './state.ts';

type Triple = [row: number, column: number, level: number];

interface Episode {
  readonly size: number;
  readonly sight: number;
  readonly steps: number;
  readonly penalty: number;
  readonly normalize: boolean;
  readonly food_count: number;
  readonly players: Triple[];
  readonly food: Triple[];
  readonly actions: number[][];
  readonly rewards: number[][];
  readonly over: boolean[];
  /** Of the start, and after each step: */
  readonly cells: [number, number][][];
  readonly left: number[][];
  readonly observations: number[][][];
  readonly legal: number[][];
  readonly heuristics: number[][][];
}

interface Golden {
  readonly versions: { readonly lbforaging: string };
  readonly episodes: readonly Episode[];
}

const golden = JSON.parse(
  gunzipSync(readFileSync(new URL('../../test/golden/foraging-lbforaging.json.gz', import.meta.url))).toString(),
) as Golden;

/** What the package calls H1 … H4. */
const HEURISTICS: readonly ScriptedPolicy[] = ['nearest_food', 'central_food', 'own_level_food', 'team_level_food'];

/** Numbers that differ from the package's, by kind, and how many were compared. */
const unequal = { cells: 0, left: 0, observations: 0, legal: 0, heuristics: 0, ends: 0 };
const compared = { ...unequal };
let rewardError = 0;

/** What the comparison came across. */
const seen = {
  episodes: 0,
  steps: 0,
  rewards: 0,
  blockedMoves: 0,
  sharedCells: 0,
  jointLoads: 0,
  loadsAlone: 0,
  penalties: 0,
  illegalActions: 0,
  choices: 0,
  ended: 0,
  truncated: 0,
};
const sizes = new Set<number>();
const crews = new Set<number>();

function compare(kind: keyof typeof unequal, ours: readonly number[], theirs: readonly number[]): void {
  expect(ours).toHaveLength(theirs.length);
  theirs.forEach((expected, index) => {
    compared[kind] += 1;
    if (ours[index] !== expected) unequal[kind] += 1;
  });
}

function compareMoment(batch: ForagingBatch, episode: Episode, moment: number): void {
  const state = batch.state(0);
  const levelAt = (row: number, column: number) =>
    state.food.find(([atRow, atColumn]) => atRow === row && atColumn === column)?.[2] ?? 0;
  const seatCount = episode.players.length;
  const observations = new Float64Array(episode.observations[moment]!.flat().length);
  const mask = new Uint8Array(seatCount * ACTION_COUNT);
  batch.observe(0, observations);
  batch.actionMask(0, mask);
  const legal = episode.players.map((_, seat) =>
    Array.from({ length: ACTION_COUNT }, (__, action) => mask[seat * ACTION_COUNT + action]! << action),
  );
  const ours = episode.players.map((_, seat) =>
    HEURISTICS.map((policy) => batch.partners.preferredAction(0, seat, policy)),
  );
  compare('cells', state.players.map(([row, column]) => [row, column]).flat(), episode.cells[moment]!.flat());
  compare(
    'left',
    episode.food.map(([row, column]) => levelAt(row, column)),
    episode.left[moment]!,
  );
  compare('observations', [...observations], episode.observations[moment]!.flat());
  compare(
    'legal',
    legal.map((bits) => bits.reduce((sum, bit) => sum + bit, 0)),
    episode.legal[moment]!,
  );
  compare('heuristics', ours.flat(), episode.heuristics[moment]!.flat());
  seen.choices += ours.flat().filter((action) => action >= 0).length;
}

/** Counts, from the package's numbers alone, what happened in a step. */
function count(episode: Episode, step: number): void {
  const [before, after] = [episode.cells[step]!, episode.cells[step + 1]!];
  const paid = episode.rewards[step]!.filter((reward) => reward > 0).length;
  const foodGone = episode.left[step]!.filter((level, item) => level !== episode.left[step + 1]![item]).length;
  if (paid > foodGone) seen.jointLoads += 1;
  else if (paid > 0) seen.loadsAlone += 1;
  seen.penalties += episode.rewards[step]!.filter((reward) => reward < 0).length;
  if (new Set(after.map(String)).size < after.length) seen.sharedCells += 1;
  episode.actions[step]!.forEach((action, seat) => {
    const isLegal = ((episode.legal[step]![seat]! >> action) & 1) === 1;
    if (!isLegal) seen.illegalActions += 1;
    else if (action >= 1 && action <= 4 && String(before[seat]) === String(after[seat])) seen.blockedMoves += 1;
  });
}

function replay(episode: Episode): void {
  const options = optionsSchema.parse({
    field_size: episode.size,
    players: episode.players.length,
    food: episode.food_count,
    episode_steps: episode.steps,
  });
  const world = foraging.open(options);
  const batch = new ForagingBatch(1, world.parameters, options);
  const rewards = { penalty: episode.penalty, normalized: Number(episode.normalize) };
  batch.reset(0, world.compile(world.simulatorSchema.parse({ rules: { sight: episode.sight }, rewards })), keyFrom(0));
  batch.place(0, world.startSchema.parse({ players: episode.players, food: episode.food }));
  compareMoment(batch, episode, 0);
  episode.actions.forEach((actions, step) => {
    batch.step(Int32Array.from(actions));
    compareMoment(batch, episode, step + 1);
    const isEmpty = episode.left[step + 1]!.every((level) => level === 0);
    const over = episode.over[step]!;
    compare('ends', [batch.ended[0]!, batch.truncated[0]!], [Number(over && isEmpty), Number(over && !isEmpty)]);
    episode.rewards[step]!.forEach((expected, seat) => {
      const error = Math.abs(batch.rewards[seat]! - expected);
      // A NaN on either side must count as an error, which no comparison with it would.
      rewardError = Number.isNaN(error) ? Infinity : Math.max(rewardError, error);
      seen.rewards += 1;
    });
    count(episode, step);
    seen.steps += 1;
  });
  seen.ended += batch.ended[0]!;
  seen.truncated += batch.truncated[0]!;
  seen.episodes += 1;
  sizes.add(episode.size);
  crews.add(episode.players.length);
}

describe('foraging against lbforaging 2.0.0', () => {
  beforeAll(() => golden.episodes.forEach(replay));

  it('is compared over 156 episodes of many sizes, with everything that can happen in them', () => {
    expect(golden.versions.lbforaging).toBe('2.0.0');
    expect(seen.episodes).toBe(156);
    expect(seen.steps).toBe(golden.episodes.reduce((sum, { actions }) => sum + actions.length, 0));
    expect(seen.ended + seen.truncated).toBe(seen.episodes);
    expect(sizes.size).toBeGreaterThanOrEqual(6);
    expect([...crews].sort()).toEqual([2, 3, 4, 5, 6, 8]);
    for (const [name, times] of Object.entries(seen)) expect(times, name).toBeGreaterThan(50);
    for (const [kind, times] of Object.entries(compared)) expect(times, kind).toBeGreaterThan(5000);
  });

  it.each(['cells', 'left', 'observations', 'legal', 'heuristics', 'ends'] as const)('gives the same %s', (kind) => {
    expect(unequal[kind]).toBe(0);
  });

  it('gives the same rewards, to the bit', () => {
    expect(rewardError).toBe(0);
  });
});
