import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ActionSpace } from '../../simulators/contract.ts';
import { loadPolicy } from './policy-model.ts';
import type { StateNames } from './policy-ports.ts';

// Files that PyTorch, Stable-Baselines3 and ONNX's own helper wrote, see test/golden/policies.py, act here as they do there.

interface GoldenPolicy {
  readonly file: string;
  readonly steps: readonly { readonly seen: number[][]; readonly given: (number | number[])[] }[];
  readonly mask?: readonly boolean[];
}

const FOLDER = 'test/golden/policies';
const { policies } = JSON.parse(readFileSync(`${FOLDER}/policies.json`, 'utf8')) as { policies: GoldenPolicy[] };
const five = { kind: 'discrete', count: 5 } as const;
const numbers = { kind: 'box', low: [0, 0, 0, 0, 0], high: [1, 1, 1, 1, 1] } as const;

interface Expected {
  readonly actions: ActionSpace;
  readonly states?: StateNames;
  readonly memorySize?: number;
  readonly isCertain?: true;
  readonly isMasked?: true;
  /** The row of output that what the program gave becomes. */
  readonly row: (given: number | number[]) => number[];
}

const logits = (given: number | number[]): number[] => given as number[];
const chosen = (given: number | number[]): number[] =>
  Array.from({ length: 5 }, (_, action) => (action === given ? 0 : -Infinity));
const certain = new Array<number>(5).fill(-Infinity);

const EXPECTED: Readonly<Record<string, Expected>> = {
  'torch-mlp.onnx': { actions: five, row: logits },
  'torch-unnamed.onnx': { actions: five, row: logits },
  'torch-lstm.onnx': { actions: five, states: { h0: 'h1', c0: 'c1' }, memorySize: 24, row: logits },
  'torch-gru.onnx': { actions: five, memorySize: 6, row: logits },
  'torch-masked.onnx': { actions: five, isMasked: true, isCertain: true, row: chosen },
  'torch-box.onnx': { actions: numbers, isCertain: true, row: (given) => [...(given as number[]), ...certain] },
  'sb3-discrete.onnx': { actions: five, isCertain: true, row: chosen },
  'sb3-box.onnx': {
    actions: numbers,
    isCertain: true,
    row: (given) => [...(given as number[]).map((value) => 2 * value - 1), ...certain],
  },
  'by-hand.onnx': { actions: five, row: logits },
};

it('every file has its expectation', () => {
  expect(policies.map(({ file }) => file).sort()).toEqual(Object.keys(EXPECTED).sort());
});

describe.each(policies)('$file', ({ file, steps, mask }) => {
  it('gives over an episode what the program that wrote it gives', async () => {
    const { actions, states, row, ...kind } = EXPECTED[file]!;
    const policy = await loadPolicy(readFileSync(`${FOLDER}/${file}`), file, states);
    expect(policy).toMatchObject({ inputSize: 18, actionKind: actions.kind, memorySize: 0, isMasked: false, ...kind });
    const rowCount = steps[0]!.seen.length;
    const actor = await policy.createActor(rowCount, actions);
    if (mask !== undefined) actor.masks!.set(steps[0]!.seen.flatMap(() => mask.map(Number)));
    for (const { seen, given } of steps) {
      actor.inputs.set(seen.flat());
      await actor.forward();
      const expected = given.flatMap(row);
      expect(actor.logits).toHaveLength(expected.length);
      actor.logits.forEach((value, at) => {
        if (Number.isFinite(expected[at])) expect(value).toBeCloseTo(expected[at]!, 5);
        else expect(value).toBe(-Infinity);
      });
      if (actor.memory !== null) actor.memory.now.set(actor.memory.next);
    }
    expect(steps.length).toBeGreaterThan(2);
    await policy.release();
  });
});

describe('states without a name that tells', () => {
  const bytes = readFileSync(`${FOLDER}/torch-lstm.onnx`);

  it('are asked for', async () => {
    await expect(loadPolicy(bytes, 'it')).rejects.toThrow(/inputs obs, h0, c0: .*add --state NAME=OUT/);
    await expect(loadPolicy(bytes, 'it', { h0: 'h1' })).rejects.toThrow(/inputs obs, c0: /);
  });

  it('may not be misspelt', async () => {
    await expect(loadPolicy(bytes, 'it', { h: 'h1', c0: 'c1' })).rejects.toThrow(/h=h1: there is no input "h"/);
    await expect(loadPolicy(bytes, 'it', { h0: 'hn', c0: 'c1' })).rejects.toThrow(/h0=hn: there is no output "hn"/);
    await expect(loadPolicy(bytes, 'it', { h0: 'logits', c0: 'c1' })).rejects.toThrow(/as many numbers as h0/);
  });
});

describe('an index', () => {
  const bytes = readFileSync(`${FOLDER}/sb3-discrete.onnx`);
  const { steps } = policies.find(({ file }) => file === 'sb3-discrete.onnx')!;

  it('that is illegal where nobody told the policy acts as 0, as in the world', async () => {
    const policy = await loadPolicy(bytes, 'it');
    const actor = await policy.createActor(2, five);
    actor.inputs.set(steps[0]!.seen.flat());
    const [first, second] = steps[0]!.given as [number, number];
    actor.masks![first] = 0;
    await actor.forward();
    expect([...actor.logits]).toEqual([...chosen(first === 0 ? -1 : 0), ...chosen(second)]);
    await policy.release();
  });

  it('that is no action of the world is an error', async () => {
    const policy = await loadPolicy(bytes, 'it');
    const [first] = steps[0]!.given as [number];
    const actor = await policy.createActor(1, { kind: 'discrete', count: first });
    actor.inputs.set(steps[0]!.seen[0]!);
    await expect(actor.forward()).rejects.toThrow(new RegExp(`gave action ${first} of ${first}`));
    await policy.release();
  });
});

it('what is not a number is an error', async () => {
  const policy = await loadPolicy(readFileSync(`${FOLDER}/torch-mlp.onnx`), 'it');
  const actor = await policy.createActor(1, five);
  actor.inputs.fill(NaN);
  await expect(actor.forward()).rejects.toThrow(/it: what it gives is not a number/);
  await policy.release();
});
