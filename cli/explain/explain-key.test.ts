import { Ajv2020 } from 'ajv/dist/2020.js';
import { existsSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import type { JsonSchema } from '../../specification/json-schema.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { exampleOf } from './example-value.ts';
import { explainedText } from './explain-key.ts';
import { findPart, keysOf, partsOf } from './find-part.ts';
import { guideOf } from './part-words.ts';
import { explainedSchema } from './spec-schema.ts';

const SPREAD = { family: 'simple_spread', width: 100 };
const schema = explainedSchema('simple_spread', DEFAULT_REGISTRIES);

function explained(path: string, on = schema, options = SPREAD): string {
  const found = findPart(on, partsOf(path));
  return found.schemas.map((each) => explainedText(each, found, options)).join('\n\n');
}

test.each([
  ['variants.*.strategy', ['variants', '*', 'strategy']],
  ['panels.test[0]', ['panels', 'test', '0']],
  ['panels.test[]', ['panels', 'test', '*']],
  ['randomization["rules.damping"]', ['randomization', 'rules.damping']],
  ['', []],
])('the path %s is %j', (path, parts) => expect(partsOf(path)).toEqual(parts));

describe('what is said of a key', () => {
  it('has its type, range, default, an example and where it stands', () => {
    const text = explained('execution.retries.lost');
    expect(text).toContain('After the loss of a worker or a process.');
    expect(text).toMatch(/^ {2}is +a whole number from 0 to 1000$/m);
    expect(text).toMatch(/^ {2}default +5$/m);
    expect(text).toMatch(/^ {2}example +"lost": 5$/m);
    expect(text).toContain('results stay the same');
  });

  it('of the whole lists all keys', () => {
    const text = explained('');
    for (const key of keysOf(schema)) expect(text).toMatch(new RegExp(`^ {4}${key.replace('$', '\\$')} `, 'm'));
  });

  it('tells alternatives by what chooses them, each in a line', () => {
    const text = explained('variants.*.strategy');
    for (const [kind, { summary }] of Object.entries(DEFAULT_REGISTRIES.strategies)) {
      expect(text).toMatch(new RegExp(`^ {4}${kind} `, 'm'));
      expect(text.replace(/\s+/g, ' ')).toContain(summary);
    }
  });

  it('of an alternative has its own keys', () => {
    expect(explained('strategy.pool')).toMatch(/^ {4}size +Simulators in the pool[^]*\(needed\)$/m);
    expect(explained('strategy.pool')).toContain('"strategy": { "kind": "pool", "size": 3 }');
    expect(explained('variants.mine.strategy.pool.size')).toContain('a whole number from 1 to 1024');
  });

  it('of a key that stands once is found by its name', () => {
    expect(explained('mixing_size')).toMatch(/^algorithm\.qmix\.mixing_size\n/);
  });

  it('is of the family asked for', () => {
    const foraging = explainedSchema('foraging', DEFAULT_REGISTRIES);
    const text = explained('simulators.*.rules', foraging, { family: 'foraging', width: 100 });
    expect(text).toContain('load_success');
    expect(explained('simulators.*.rules')).not.toContain('load_success');
  });

  it('of a range of a parameter needs no quotes', () => {
    expect(explained('randomization.rules.damping')).toContain('an array [a number, a number]');
  });
});

test.each([
  ['variant', 'variants'],
  ['budget.round', 'budget.rounds'],
  ['learning_rat', 'learning_rate'],
  ['strategy.poll', 'strategy.pool'],
  ['algorithm.ippo.learning_rat', 'algorithm.ippo.learning_rate'],
])('%s is refused with the nearest, %s', (path, nearest) => {
  expect(() => explained(path)).toThrow(
    expect.objectContaining({ code: 'REQUEST_BAD_ARGUMENT', remedy: `Did you mean thaw explain ${nearest}?` }),
  );
});

/** Paths of all keys but those that variants repeat. */
function pathsBelow(part: JsonSchema, path: string, depth = 0): string[] {
  if (depth > 6) return [];
  return keysOf(part).flatMap((key) => {
    if (path === '' && key === 'variants') return [key];
    const inner = path === '' ? key : `${path}.${key}`;
    const { schemas } = findPart(part, [key]);
    return [
      inner,
      ...schemas.flatMap((each) => (path.split('.').includes(key) ? [] : pathsBelow(each, inner, depth + 1))),
    ];
  });
}

describe.each(Object.keys(DEFAULT_REGISTRIES.families))('in %s', (family) => {
  const own = explainedSchema(family, DEFAULT_REGISTRIES);
  const paths = [...new Set(pathsBelow(own, ''))];

  it('every key can be asked for, and its example is accepted there', () => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false });
    expect(paths.length).toBeGreaterThan(100);
    for (const path of paths) {
      const found = findPart(own, partsOf(path));
      for (const part of found.schemas) {
        expect([path, ajv.validate(part, exampleOf(part)), exampleOf(part)]).toEqual([path, true, exampleOf(part)]);
        const text = explainedText(part, found, { family, width: 100 });
        expect(text.split('\n').filter((line) => line.length > 100 && !line.includes('example'))).toEqual([]);
        expect(text).not.toMatch(/undefined|\[object/);
      }
      const guide = guideOf(found.path, family, DEFAULT_REGISTRIES);
      expect(existsSync(guide), guide).toBe(true);
    }
  });
});
