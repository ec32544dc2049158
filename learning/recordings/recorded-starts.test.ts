import { describe, expect, it } from 'vitest';
import { keyFrom } from '../../simulators/random.ts';
import { FAMILIES } from '../../simulators/registry.ts';
import { linesFrom, recordedSteps } from '../../test/support/recorded-lines.ts';
import { chooseStarts, type StartRule, startOf, returnOf } from './recorded-starts.ts';
import { RecordingReader } from './recording-reader.ts';
import { seatDemonstrations } from './seat-demonstrations.ts';

const EPISODES = 10;

async function recordingOf(name: string) {
  const family = FAMILIES[name]!;
  const world = family.open(family.optionsSchema.parse({}));
  const reader = new RecordingReader(world, []);
  linesFrom(await recordedSteps(world, EPISODES)).forEach((line, index) => reader.add(line, index + 1));
  expect(reader.problems).toEqual([]);
  return { world, episodes: reader.episodes };
}

describe('states of a recording as starts', () => {
  it.each(['simple_spread', 'simple_tag', 'foraging'])(
    'in %s: an episode that starts there shows what was seen there',
    async (name) => {
      const { world, episodes } = await recordingOf(name);
      const starts = chooseStarts(world, episodes, { kind: 'every', steps: 5 });
      expect(starts.length).toBeGreaterThan(EPISODES);
      const batch = world.createBatch(1);
      for (const { episode, step, start } of starts) {
        const simulator = world.simulatorSchema.parse({ scenarios: { start } });
        expect(startOf(simulator)).toEqual(start);
        batch.reset(0, world.compile(simulator), keyFrom(1));
        const recorded = episodes.find((each) => each.name === episode)!.steps[step]!.observations!;
        world.groups.forEach(({ seats, observationSize: size }, group) => {
          const seen = new Float64Array(seats.length * size);
          batch.observe(group, seen);
          const shown = seats.flatMap((seat) => [...recorded[seat]!]);
          seen.forEach((value, index) => expect(value).toBeCloseTo(shown[index]!, 9));
          expect(seen).toHaveLength(shown.length);
        });
      }
    },
  );

  it('are those that the rule names', async () => {
    const { world, episodes } = await recordingOf('foraging');
    const named = (rule: StartRule) => chooseStarts(world, episodes, rule).map(({ name }) => name);
    expect(named({ kind: 'none' })).toEqual([]);
    expect(named({ kind: 'first' })).toEqual(episodes.map(({ name }) => `${name}@0`));
    expect(named({ kind: 'low', percent: 100 })).toEqual(named({ kind: 'first' }));
    const low = chooseStarts(world, episodes, { kind: 'low', percent: 30 });
    const returns = episodes.map((episode) => returnOf(world, episode)!).sort((a, b) => a - b);
    expect(low.map((start) => start.return!).sort((a, b) => a - b)).toEqual(returns.slice(0, 3));
  });

  it('need what was not recorded', async () => {
    const { world, episodes } = await recordingOf('foraging');
    const without = (key: 'state' | 'rewards') =>
      episodes.map(({ name, steps }) => ({ name, steps: steps.map((step) => ({ ...step, [key]: null })) }));
    expect(() => chooseStarts(world, without('state'), { kind: 'first' })).toThrow(/state of e0@0 was not recorded/);
    expect(() => chooseStarts(world, without('rewards'), { kind: 'low', percent: 5 })).toThrow(/rewards of episode e0/);
    expect(chooseStarts(world, without('rewards'), { kind: 'first' })[0]!.return).toBeNull();
  });
});

describe('what a seat did', () => {
  it('stands beside what it saw before, for every step that has both', async () => {
    const { world, episodes } = await recordingOf('simple_tag');
    const seat = world.seatCount - 1;
    const shown = seatDemonstrations(world, episodes, seat)!;
    const steps = episodes.flatMap((episode) => episode.steps.slice(1));
    expect(shown.episodes.length).toBe(steps.length);
    expect([...shown.actions]).toEqual(steps.map(({ actions }) => actions![seat]));
    const first = episodes[0]!.steps[0]!.observations![seat]!;
    expect([...shown.inputs.subarray(0, shown.inputSize)]).toEqual(first.map(Math.fround));
    const silent = episodes.map(({ name, steps: each }) => ({
      name,
      steps: each.map((step) => ({
        ...step,
        actions: step.actions?.map((action, at) => (at === seat ? null : action)) ?? null,
      })),
    }));
    expect(seatDemonstrations(world, silent, seat)).toBeNull();
    expect(seatDemonstrations(world, silent, 0)).not.toBeNull();
  });

  it('stands beside what was legal there; what was not cannot have been done', async () => {
    const { world, episodes } = await recordingOf('foraging');
    const { count } = world.groups[0]!.actions as { count: number };
    expect(seatDemonstrations(world, episodes, 0)!.masks).toBeNull();
    const masked = (isLegal: (action: number, done: number | undefined) => boolean) =>
      episodes.map(({ name, steps }) => ({
        name,
        steps: steps.map((step, at) => {
          const done = steps[at + 1]?.actions?.[0] as number | undefined;
          // Of the first step nothing is known.
          const mask = Array.from({ length: count }, (_, action) => (isLegal(action, done) ? 1 : 0));
          return { ...step, masks: at === 0 ? null : [mask, null] };
        }),
      }));
    const { masks, actions } = seatDemonstrations(
      world,
      masked((action, done) => action === done),
      0,
    )!;
    expect([...masks!.subarray(0, count)]).toEqual(Array(count).fill(1));
    const second = Array.from({ length: count }, (_, action) => (action === actions[1] ? 1 : 0));
    expect([...masks!.subarray(count, 2 * count)]).toEqual(second);
    const wrong = masked((action, done) => action !== done);
    expect(() => seatDemonstrations(world, wrong, 0)).toThrow(/e0@2 seat 0 did action \d, .*illegal/);
    expect(seatDemonstrations(world, wrong, 1)!.masks).toBeNull();
  });
});
