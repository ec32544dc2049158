import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createActions } from '../../simulators/actions.ts';
import { keyFrom } from '../../simulators/random.ts';
import { simpleSpread } from '../../simulators/simple-spread/family.ts';
import { createChooser } from './rollout-actions.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'rollout-actions-'));
const world = simpleSpread.open(simpleSpread.optionsSchema.parse({ agents: 2, continuous_actions: true }));
const batch = world.createBatch(1);
batch.reset(0, world.compile(world.simulatorSchema.parse({})), keyFrom(1));

function chooserOf(source: { steps?: unknown; random?: boolean }) {
  const file = path.join(folder, 'actions.json');
  writeFileSync(file, JSON.stringify(source.steps ?? []));
  const actions = source.steps === undefined ? undefined : file;
  return createChooser(world, batch, keyFrom(2), { actions, policy: undefined, random: source.random ?? false });
}

describe('actions of boxes', () => {
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are listed as the numbers of every seat', async () => {
    const step = [
      [0, 0.25, 0.5, 0.75, 1],
      [1, 0, 0, 0, 0.5],
    ];
    const chooser = await chooserOf({ steps: [step] });
    const actions = createActions(world, 1);
    await chooser.choose(0, batch, actions);
    expect([...actions]).toEqual(step.flat());
    expect(chooser.stepCount).toBe(1);
  });

  it.each([
    [
      'a number beyond its box',
      [
        [
          [0, 0, 0, 0, 1.5],
          [0, 0, 0, 0, 0],
        ],
      ],
      '[0][0][4]',
    ],
    [
      'too few numbers',
      [
        [
          [0, 0, 0, 0],
          [0, 0, 0, 0, 0],
        ],
      ],
      '[0][0]',
    ],
    ['the index of an action', [[[0, 0, 0, 0, 0], 3]], '[0][1]'],
    ['a seat too few', [[[0, 0, 0, 0, 0]]], '[0]'],
  ])('are refused with their place where there is %s', async (_, steps, place) => {
    await expect(chooserOf({ steps })).rejects.toMatchObject({
      code: 'REQUEST_BAD_ARGUMENT',
      message: expect.stringContaining(place) as string,
    });
  });

  it('are anywhere in the box at random, the same again for the same step', async () => {
    const chooser = await chooserOf({ random: true });
    const drawn = [0, 1, 0].map(() => createActions(world, 1));
    for (const [index, step] of [0, 1, 0].entries()) await chooser.choose(step, batch, drawn[index]!);
    expect(drawn[2]).toEqual(drawn[0]);
    expect(drawn[1]).not.toEqual(drawn[0]);
    expect(new Set(drawn[0]).size).toBe(10);
    expect(drawn[0]!.every((value) => value >= 0 && value <= 1)).toBe(true);
  });
});
