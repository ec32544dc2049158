import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { keyFrom } from '../random.ts';
import { kitchen } from './family.ts';
import { FIRST_SOUP, ITEM_NAMES, SOUP_NAMES } from './items.ts';
import type { Start } from './simulator-data.ts';
import { ACTION } from './state.ts';

type Named = [row: number, column: number, what: number | string, more: number | string];

interface Episode {
  readonly layout: string;
  readonly actions: number[][];
  readonly sparse: number[][];
  readonly shaped: number[][];
  /** Of the start, and after each step: */
  readonly players: Named[][];
  readonly objects: Named[][];
}

interface Golden {
  readonly versions: { readonly overcooked_ai: string };
  readonly episodes: readonly Episode[];
}

const golden = JSON.parse(
  gunzipSync(readFileSync(new URL('../../test/golden/kitchen-overcooked-ai.json.gz', import.meta.url))).toString(),
) as Golden;

const PAPER = [
  'cramped_room',
  'asymmetric_advantages',
  'coordination_ring',
  'forced_coordination',
  'counter_circuit',
] as const;
const LAYOUTS = [...PAPER, 'counter_circuit_tomato'];
const world = kitchen.open({ episode_steps: 300 });

/** Numbers that differ from the package's, by kind, and how many were compared. */
const unequal = { players: 0, objects: 0, sparse: 0, shaped: 0 };
const compared = { ...unequal };

/** What the comparison came across, by layout. */
const seen: Record<string, Record<string, number>> = {};

function compare(kind: keyof typeof unequal, ours: readonly unknown[], theirs: readonly unknown[]): void {
  compared[kind] += 1;
  // Lengths differ as well where something is missing.
  if (JSON.stringify(ours) !== JSON.stringify(theirs)) unequal[kind] += 1;
}

const codeOf = (name: string | number) => ITEM_NAMES.indexOf(name as (typeof ITEM_NAMES)[number]);

/** The package's state in our numbers. */
const playersOf = (episode: Episode, moment: number) =>
  episode.players[moment]!.map(([row, column, facing, held]) => [row, column, facing, codeOf(held)]);
/** How long a soup has been cooking that is not in a pot any more is of no meaning. */
const objectsOf = (episode: Episode, moment: number) =>
  episode.objects[moment]!.map(([row, column, what, cooking]) => [row, column, codeOf(what), cooking]);

/** A batch at the start of an episode, with rewards for soups alone or for everything else. */
function begin(episode: Episode, isSparse: boolean) {
  const tomatoes = episode.layout === 'counter_circuit_tomato' ? world.catalogue['tomatoes']!.simulator : {};
  const worthless = Object.fromEntries(SOUP_NAMES.map((name) => [name, 0]));
  const rewards = isSparse ? { shaping: 0, shared: 0, ...(tomatoes['rewards'] ?? {}) } : worthless;
  const batch = world.createBatch(1);
  batch.reset(0, world.compile(world.simulatorSchema.parse({ ...tomatoes, rewards })), keyFrom(0));
  const start = { layout: episode.layout, players: playersOf(episode, 0), objects: objectsOf(episode, 0) };
  batch.place(0, world.startSchema.parse(start));
  return batch;
}

/** Counts, from the package's numbers alone, what happened in a step. */
function count(episode: Episode, step: number): void {
  const counts = (seen[episode.layout] ??= {
    soups: 0,
    shaped: 0,
    bothInteract: 0,
    blocked: 0,
    turnedOn: 0,
    ready: 0,
    soupsOnCounters: 0,
    worthlessSoups: 0,
  });
  const add = (name: string, isSo: boolean) => (counts[name]! += isSo ? 1 : 0);
  const [before, after] = [episode.players[step]!, episode.players[step + 1]!];
  const actions = episode.actions[step]!;
  add('bothInteract', actions[0] === ACTION.interact && actions[1] === ACTION.interact);
  actions.forEach((action, seat) => {
    const [row, column, , held] = before[seat]!;
    const isMove = action !== ACTION.stay && action !== ACTION.interact;
    add('blocked', isMove && row === after[seat]![0] && column === after[seat]![1]);
    add('soups', episode.sparse[step]![seat]! > 0);
    add('shaped', episode.shaped[step]![seat]! > 0);
    const isGone = codeOf(held) >= FIRST_SOUP && after[seat]![3] === 'nothing';
    const lies = episode.objects[step + 1]!.filter(([, , what, cooking]) => what === held && cooking === 0).length;
    const lay = episode.objects[step]!.filter(([, , what, cooking]) => what === held && cooking === 0).length;
    add('soupsOnCounters', isGone && lies > lay);
    add('worthlessSoups', isGone && lies === lay && episode.sparse[step]![seat] === 0);
  });
  for (const [row, column, , cooking] of episode.objects[step + 1]!) {
    const earlier = episode.objects[step]!.find((each) => each[0] === row && each[1] === column);
    add('turnedOn', cooking === 1 && earlier?.[3] !== 1);
    // A pot that is done stays as it is.
    add('ready', Number(cooking) > 1 && earlier?.[3] === cooking);
  }
}

function replay(episode: Episode): void {
  const [sparse, shaped] = [begin(episode, true), begin(episode, false)];
  episode.actions.forEach((actions, step) => {
    for (const batch of [sparse, shaped]) void batch.step(Int32Array.from(actions));
    for (const batch of [sparse, shaped]) {
      const state = batch.state(0) as Start;
      compare('players', state.players, playersOf(episode, step + 1));
      compare('objects', state.objects, objectsOf(episode, step + 1));
    }
    compare('sparse', [...sparse.rewards], episode.sparse[step]!);
    compare('shaped', [...shaped.rewards], episode.shaped[step]!);
    count(episode, step);
  });
}

describe('kitchen against overcooked-ai 1.1.0', () => {
  beforeAll(() => golden.episodes.forEach(replay));

  it.each(LAYOUTS)('is compared in %s, with everything that can happen there', (layout) => {
    expect(golden.versions.overcooked_ai).toBe('1.1.0');
    for (const name of ['soups', 'shaped', 'bothInteract', 'blocked', 'turnedOn', 'ready']) {
      expect(seen[layout]![name], name).toBeGreaterThan(5);
    }
  });

  it.each(['worthlessSoups', 'soupsOnCounters'] as const)('is compared with %s, too', (name) => {
    const times = LAYOUTS.map((layout) => seen[layout]![name]!);
    expect(times.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(20);
  });

  it('begins with what the drawings of the package say', () => {
    for (const layout of LAYOUTS) {
      const batch = world.createBatch(1);
      batch.reset(0, world.compile(world.simulatorSchema.parse({ scenarios: { layout } })), keyFrom(0));
      const episode = golden.episodes.find((each) => each.layout === layout)!;
      expect((batch.state(0) as Start).players).toEqual(playersOf(episode, 0));
      expect((batch.state(0) as Start).objects).toEqual(objectsOf(episode, 0));
    }
  });

  it.each(['players', 'objects', 'sparse', 'shaped'] as const)('gives the same %s in every step', (kind) => {
    const steps = golden.episodes.reduce((sum, { actions }) => sum + actions.length, 0);
    expect(compared[kind]).toBeGreaterThanOrEqual(steps);
    expect(unequal[kind]).toBe(0);
  });
});
