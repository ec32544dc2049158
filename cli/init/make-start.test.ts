import { describe, expect, it, test } from 'vitest';
import { parseDocument } from '../../specification/parse-document.ts';
import { planExperiment } from '../../specification/plan.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { commentedJson } from './commented-json.ts';
import { FAMILY_STARTS } from './family-start.ts';
import { makeStart } from './make-start.ts';
import { DEFAULT_COMPARED, OFFERED_STRATEGIES } from './start-document.ts';
import { nameFrom } from './write-start.ts';

const families = Object.keys(DEFAULT_REGISTRIES.families);
const offered = Object.keys(OFFERED_STRATEGIES);
const choices = { name: 'mine', seedCount: 4, envSteps: 500_000 };

describe.each(families)('a start in %s', (family) => {
  const { text, experiment } = makeStart({ ...choices, family, compare: DEFAULT_COMPARED }, 'mine.jsonc');

  it('is valid, and means what was asked for', () => {
    expect(experiment.name).toBe('mine');
    expect(Object.keys(experiment.variants)).toEqual(DEFAULT_COMPARED);
    expect(experiment.seeds).toEqual([0, 1, 2, 3]);
    for (const variant of Object.values(experiment.variants)) {
      expect(variant.family).toBe(family);
      expect(variant.budget.env_steps).toBe(500_000);
    }
  });

  it('explains what is likely to be changed', () => {
    const lines = text.split('\n');
    const isExplained = (key: string) =>
      lines.some((line, at) => line.trim().startsWith(`"${key}":`) && lines[at - 1]!.trim().startsWith('// '));
    const keys = [
      'family',
      'simulators',
      'panels',
      'train',
      'test',
      'variants',
      'seeds',
      'budget',
      ...DEFAULT_COMPARED,
    ];
    expect(keys.filter((key) => !isExplained(key))).toEqual([]);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });

  it('can be planned with every strategy that is offered', () => {
    const all = makeStart({ ...choices, family, compare: offered }, 'mine.jsonc').experiment;
    expect(planExperiment(all, DEFAULT_REGISTRIES, null).variants.map(({ name }) => name)).toEqual(offered);
  });

  it('is also there where nobody chose one by hand: out of the catalogue', () => {
    const known = DEFAULT_REGISTRIES.families[family]!;
    const unknown = {
      ...known,
      open: (options: never) => ({ ...known.open(options), family: 'other' }),
      name: 'other',
    };
    expect(FAMILY_STARTS['other']).toBeUndefined();
    const registries = { ...DEFAULT_REGISTRIES, families: { other: unknown } };
    const compare = ['frozen', 'domain_randomization', 'pool'];
    const { experiment: made } = makeStart({ ...choices, family: 'other', compare }, 'mine.jsonc', registries);
    expect(Object.keys(made.variants)).toEqual(compare);
  });
});

test('a document with comments is the document', () => {
  const document = { a: { b: [1, { c: null }], d: {} }, 'e f': 'x'.repeat(200), g: { h: { i: true } } };
  const comments = { a: 'Of a. '.repeat(60).trim(), 'a.b': 'Of b.', 'g.h.i': 'Of i.' };
  const text = commentedJson(document, comments);
  expect(parseDocument(text)).toEqual({ ok: true, document });
  expect(text.match(/\/\/ /g)!.length).toBeGreaterThan(4);
});

test.each([
  ['my first.jsonc', 'my-first'],
  ['folder/.hidden.json', 'hidden'],
  ['größe.json', 'gr-e'],
  ['---', 'experiment'],
])('the file %s gives the name %s', (file, name) => expect(nameFrom(file)).toBe(name));
