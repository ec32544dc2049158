import { describe, expect, test } from 'vitest';
import { resolved, specDocument } from '../test/support/spec-document.ts';
import { mergeDocuments } from './merge.ts';

const NO_KINDS = {};

test.each([
  ['objects are merged deep', { a: { b: 1, c: 2 } }, { a: { c: 3 } }, { a: { b: 1, c: 3 } }],
  ['arrays are replaced', { a: [1, 2, 3] }, { a: [4] }, { a: [4] }],
  ['null removes a key', { a: 1, b: { c: 1, d: 2 } }, { a: null, b: { c: null } }, { b: { d: 2 } }],
  ['null inside a new object removes nothing and stays away', {}, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
  ['an object takes the place of a value', { a: 1 }, { a: { b: 1 } }, { a: { b: 1 } }],
])('%s', (_law, base, override, merged) => {
  expect(mergeDocuments(base, override, NO_KINDS)).toEqual(merged);
});

describe('a variant', () => {
  const variantWith = (override: object) => {
    const spec = { ...specDocument(), variants: { one: { strategy: { kind: 'pool', size: 2 }, ...override } } };
    return resolved(spec).variants.one!;
  };

  test('keeps the parameters of the experiment that it does not change', () => {
    expect(variantWith({ algorithm: { epochs: 2 } }).algorithm).toMatchObject({ hidden_sizes: [32, 32], epochs: 2 });
  });

  test('that makes another kind of a partner keeps the keys which that kind has as well', () => {
    const override = { simulators: { zero: { partners: { '1': { name: 'rightmost_landmark' } } } } };
    expect(variantWith(override).simulators.zero!.partners['1']).toEqual({
      kind: 'scripted',
      name: 'rightmost_landmark',
      epsilon: 0.1,
      lateness: 0,
      speed: 1,
      action_bias: [1, 1, 1, 1, 1],
    });
  });

  test('that changes the kind of a strategy keeps none of its options that the new kind lacks', () => {
    const spec = specDocument();
    const document = {
      ...spec,
      strategy: { kind: 'pool', size: 2 },
      variants: { pool: {}, frozen: { strategy: { kind: 'frozen', simulator: 'zero' } } },
    };
    expect(resolved(document).variants.frozen!.strategy).toEqual({ kind: 'frozen', simulator: 'zero' });
  });

  test('keeps everything under another name of the same algorithm', () => {
    const { algorithm } = variantWith({ algorithm: { name: 'independent_ppo' } });
    expect(algorithm).toMatchObject({ name: 'ippo', hidden_sizes: [32, 32] });
  });

  test('may have a test panel of its own', () => {
    expect(variantWith({ panels: { test: ['partner_random'] } }).panels).toEqual({
      train: ['zero', 'left'],
      validation: ['top'],
      test: ['partner_random'],
    });
  });
});
