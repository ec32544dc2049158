import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { problemsOf, resolved, specDocument } from '../test/support/spec-document.ts';
import { variantHash } from './identity.ts';
import {
  LATER_EVALUATION,
  LATER_KEYS,
  LATER_OPTIONS,
  withoutLaterDefaults,
  withoutLaterOptions,
} from './later-keys.ts';
import { openWorld } from './open-world.ts';
import { parseDocument } from './parse-document.ts';
import { DEFAULT_REGISTRIES } from './registries.ts';

const variant = resolved(specDocument()).variants.pool!;

describe('a key that is newer than a document', () => {
  /**
   * The identities under which results are stored. Printed at commit 33fc16d, before the first later key, by
   * `thaw validate FILE -o json` for the files as they were then. If a file is edited, its line is printed anew by the
   * program of the commit before.
   */
  it.each([
    ['collapse-committed.json', '100b6442a005f8e8c169cf184c719261b0ff3bbbdae4368fa34cbec5faf7bd7c'],
    ['forms/pool-form.json', '016986dba6840d2fc13d97b3c632237f41db29b199926c6b737aad8fe64618a0'],
  ])('changes no identity at its default: %s', (file, resultHash) => {
    const parsed = parseDocument(readFileSync(`experiments/${file}`, 'utf8'));
    if (!parsed.ok) throw new Error(`${file} is not JSON`);
    expect(resolved(parsed.document).result_hash).toBe(resultHash);
  });

  it('is part of the identity at every other value', () => {
    const of = (algorithm: object) =>
      resolved({ ...specDocument(), algorithm: { ...specDocument().algorithm, ...algorithm } }).result_hash;
    expect(of({ gradient_grain: null })).toBe(of({}));
    expect(of({ gradient_grain: 200 })).not.toBe(of({}));
    expect(of({ gradient_grain: 200 })).not.toBe(of({ gradient_grain: 300 }));
  });

  it('is part of the identity of documents that know it', () => {
    const { afterSpecVersion } = LATER_KEYS['ippo']!['gradient_grain']!;
    expect(withoutLaterDefaults(variant.algorithm, afterSpecVersion)).not.toHaveProperty('gradient_grain');
    expect(withoutLaterDefaults(variant.algorithm, afterSpecVersion + 1)).toEqual(variant.algorithm);
  });

  test.each(Object.entries(LATER_KEYS))('of %s has the default that resolving writes out', (name, keys) => {
    const world = openWorld(variant, DEFAULT_REGISTRIES);
    const defaults = DEFAULT_REGISTRIES.algorithms[name]!.parametersSchema(world).parse({ name });
    expect(Object.keys(keys).length).toBeGreaterThan(0);
    for (const [key, entry] of Object.entries(keys)) expect(defaults).toHaveProperty(key, entry.default);
  });

  test.each(Object.entries(LATER_OPTIONS))('of the family %s has the default that opening writes out', (name, keys) => {
    const { optionsSchema } = DEFAULT_REGISTRIES.families[name]!;
    expect(optionsSchema.parse({})).toMatchObject(keys);
    expect(withoutLaterOptions(name, optionsSchema.parse({}))).not.toHaveProperty(Object.keys(keys)[0]!);
    expect(withoutLaterOptions(name, { ...keys, continuous_actions: true })).toEqual({ continuous_actions: true });
  });
});

test('of `evaluation` has the default that resolving writes out, which changes no identity, as others do', () => {
  expect(variant.evaluation).toMatchObject(LATER_EVALUATION);
  const hashWith = (key: string, value?: number): string =>
    variantHash({ ...variant, evaluation: { ...variant.evaluation, [key]: value } });
  for (const key of Object.keys(LATER_EVALUATION)) {
    expect(hashWith(key)).toBe(variantHash(variant));
    expect(hashWith(key, 8)).not.toBe(variantHash(variant));
  }
});

test('a grain larger than a minibatch is refused, in the variant that has such a minibatch', () => {
  const spec = specDocument();
  const variants = { ...spec.variants, small: { ...spec.variants.pool, algorithm: { minibatch_size: 100 } } };
  const problems = problemsOf({ ...spec, algorithm: { ...spec.algorithm, gradient_grain: 200 }, variants });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({
    path: 'algorithm.gradient_grain',
    variant: 'small',
    found: '200',
    expected: 'at most 100, the algorithm.minibatch_size that it is a part of',
    remedy: 'Lower it to 100, or write null, which means the same here.',
  });
});
