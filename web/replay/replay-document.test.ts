import { describe, expect, it } from 'vitest';
import type { StoredFailure } from '../../infra/postgres/failure-rows.ts';
import type { ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import { actionSizeOf, createActions } from '../../simulators/actions.ts';
import type { World } from '../../simulators/contract.ts';
import type { Drawing } from '../../simulators/drawing.ts';
import { keyFrom } from '../../simulators/random.ts';
import { FAMILIES } from '../../simulators/registry.ts';
import { madeUpFailure } from '../../test/support/made-up-failure.ts';
import { type ReplayBody, replaySchema } from '../contract/simulators.ts';
import { episodeOf } from './episode-of.ts';
import { playFailure } from './play-failure.ts';
import { replayDocument } from './replay-document.ts';

/** Documents without the failure, which others tell. */
const documentSchema = replaySchema.omit({ failure: true });

/** Number of actions of a seat, up to five. */
function actionCountOf({ groups }: World, seat: number): number {
  const { actions } = groups.find(({ seats }) => seats.includes(seat))!;
  return actions.kind === 'discrete' ? Math.min(5, actions.count) : 5;
}

/** An episode of a family in which everybody does one action after the other, played by a plain loop. */
function played(family: string, options: object) {
  const world = FAMILIES[family]!.open(FAMILIES[family]!.optionsSchema.parse(options));
  const simulator = world.simulatorSchema.parse({});
  const batch = world.createBatch(1);
  const key = keyFrom(3);
  batch.reset(0, world.compile(simulator), key);
  const drawings: Drawing[] = [world.draw(batch.state(0), simulator.rules)];
  const actions: number[][] = [];
  const rewards: number[][] = [];
  while (batch.ended[0] === 0 && batch.truncated[0] === 0) {
    void batch.step(
      createActions(world, 1).map((_, at) =>
        actionSizeOf(world) > 1 ? (at % 3) / 2 : (actions.length + at) % actionCountOf(world, at),
      ),
    );
    actions.push([...batch.actions]);
    rewards.push([...batch.rewards]);
    drawings.push(world.draw(batch.state(0), simulator.rules));
  }
  const failure = madeUpFailure({
    key,
    actions,
    rewards: rewards.map((each) => each[0]!),
    values: Array.from({ length: actions.length + 1 }, (_, step) => (step === 2 ? NaN : -step / 3)),
    return: returnOf(world, rewards),
  });
  return { world, simulator, drawings, rewards, failure };
}

/** Seat 0 learns. */
function returnOf({ cooperative }: World, rewards: readonly (readonly number[])[]): number {
  return rewards.flatMap((each) => (cooperative ? each : each.slice(0, 1))).reduce((sum, reward) => sum + reward, 0);
}

async function documentOf(
  { world, simulator, failure }: ReturnType<typeof played>,
  change: Partial<StoredFailure> = {},
) {
  const { family, version: family_version, options: family_options } = world;
  const variant = { family, family_version, family_options, learners: [0] } as unknown as ResolvedVariant;
  const again = await playFailure(variant, { ...failure, ...change }, simulator);
  return replayDocument(episodeOf(again, { subtitle: '' }), failure);
}

const placeIn = ({ places }: ReplayBody, frame: number) => (places.length === 1 ? places[0] : places[frame]);

const CASES: readonly [string, object][] = [
  ...Object.keys(FAMILIES).map((family): [string, object] => [family, {}]),
  ['simple_spread', { continuous_actions: true }],
];

describe.each(CASES)('the replay of a failure in %s with %j', (family, options) => {
  const own = played(family, options);

  it('has everything where the world draws it, in every frame', async () => {
    const { bodies, frames } = await documentOf(own);
    expect(frames.map(({ step }) => step)).toEqual([...own.drawings.keys()]);
    own.drawings.forEach(({ shapes }, frame) => {
      const seen = bodies.flatMap((body) => (placeIn(body, frame) === null ? [] : [[body.id, placeIn(body, frame)]]));
      expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(shapes.map(({ id, x, y }) => [id, [x, y]])));
    });
    // What stays where it is takes one place.
    expect(bodies.find(({ role }) => role === 'ground')!.places).toHaveLength(1);
  });

  it('has the stored actions and values, and the rewards of every seat', async () => {
    const { frames, seats } = await documentOf(own);
    expect(frames.map(({ value }) => value)).toEqual(own.failure.values);
    expect(frames.slice(1).map(({ actions }) => actions.flat())).toEqual(own.failure.actions);
    for (const { actions } of frames.slice(1)) expect(actions).toHaveLength(own.world.seatCount);
    expect(frames.slice(1).map(({ rewards }) => rewards)).toEqual(own.rewards);
    expect(frames[0]).toMatchObject({ actions: [], rewards: [] });
    expect(seats).toHaveLength(own.world.seatCount);
  });

  it('is what the contract says once it is written as JSON, and names every action', async () => {
    const document = await documentOf(own);
    const written = JSON.stringify(document, (_, each: unknown) => (Number.isNaN(each) ? 'NaN' : each));
    const read = documentSchema.parse(JSON.parse(written));
    expect(read.frames[2]!.value).toBe('NaN');
    const highest = Math.max(...own.failure.actions.flat());
    expect(read.action_names.length).toBeGreaterThan(highest);
  });

  it('shows no other episode than the one that is stored', async () => {
    const other = { return: own.failure.return + 1e-6 };
    await expect(documentOf(own, other)).rejects.toMatchObject({ code: 'DEFECT_INVARIANT' });
    const longer = { actions: [...own.failure.actions, own.failure.actions[0]!] };
    await expect(documentOf(own, longer)).rejects.toMatchObject({ code: 'DEFECT_INVARIANT' });
  });
});
