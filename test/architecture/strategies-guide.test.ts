import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { STRATEGIES } from '../../learning/strategies/registry.ts';
import { resolved, specDocument } from '../support/spec-document.ts';

// The guide is written by hand, but what it says of options is checked here against their schemas.

const GUIDE = readFileSync('docs/guides/strategies.md', 'utf8');

/** They are told of in the guide to experiments, with the keys of a spec. */
const TOLD_ELSEWHERE = ['frozen', 'pool', 'domain_randomization'];

type Options = Record<string, unknown>;

const optionsOf = (written: Options): Options =>
  STRATEGIES[written['kind'] as string]!.optionsSchema.parse(written) as unknown as Options;

interface Section {
  readonly kind: string;
  readonly text: string;
  readonly example: Options;
}

/** From a heading that is the name of a strategy to the next heading of its rank. */
const SECTIONS: readonly Section[] = [...GUIDE.matchAll(/^(##|###) `(\w+)`\n([\s\S]*?)(?=^##?#? |$(?![\s\S]))/gm)].map(
  ([, , kind, text]) => ({
    kind: kind!,
    text: text!,
    example: JSON.parse(/^```json\n([\s\S]*?)^```/m.exec(text!)![1]!) as Options,
  }),
);

/** Values by path, those in objects by their paths too. */
function leavesOf(value: Options, prefix = ''): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  for (const [key, inner] of Object.entries(value)) {
    leaves.set(prefix + key, inner);
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) continue;
    for (const [path, leaf] of leavesOf(inner as Options, `${prefix}${key}.`)) leaves.set(path, leaf);
  }
  return leaves;
}

function without(options: Options, path: string): Options {
  const copy = structuredClone(options);
  const keys = path.split('.');
  const last = keys.pop()!;
  const holder = keys.reduce<Options | undefined>((inner, key) => inner?.[key] as Options | undefined, copy);
  if (holder !== undefined) delete holder[last];
  return copy;
}

test('every strategy has a section, or is told of elsewhere', () => {
  expect([...SECTIONS.map(({ kind }) => kind), ...TOLD_ELSEWHERE].sort()).toEqual(Object.keys(STRATEGIES).sort());
});

test('every strategy that is written in one line means as a variant what it says', () => {
  const lines = [...GUIDE.matchAll(/`(\{ "kind": .*? \})`/g)].map(([, json]) => JSON.parse(json!) as Options);
  expect(lines.length).toBeGreaterThan(10);
  const variants = Object.fromEntries(lines.map((strategy, index) => [`line_${index}`, { strategy }]));
  // As many rounds as are usual: in fewer the usual mining would never happen, which is refused.
  const budget = { env_steps: 500_000, rounds: 20 };
  const experiment = resolved({ ...specDocument(), budget, strategy: { kind: 'failure_driven' }, variants });
  for (const [index, line] of lines.entries()) {
    expect(experiment.variants[`line_${index}`]!.strategy).toEqual(optionsOf(line));
  }
});

describe.each(SECTIONS)('what is said of $kind', ({ text, kind, example }) => {
  const rows = [...text.matchAll(/^\| `([\w.]+)` \| (.*?) \|/gm)].map(([, path, cell]) => ({
    path: path!,
    written: /^`([^`]*)`$/.exec(cell!)?.[1],
  }));

  it('begins with an example of it that is accepted', () => {
    expect(example['kind']).toBe(kind);
    expect(() => optionsOf(example)).not.toThrow();
  });

  it('names all of its options', () => {
    const named = rows.map(({ path }) => path);
    // Of an option whose keys are free, or told in words, no key has a row.
    const hasRows = (option: string): boolean => named.some((path) => path.startsWith(`${option}.`));
    const options = [...leavesOf(optionsOf(example)).keys()].filter((path) => path !== 'kind');
    const wanted = options.filter((path) => !path.includes('.') || hasRows(path.split('.')[0]!));
    expect(wanted.filter((path) => !named.includes(path))).toEqual([]);
  });

  it('gives the defaults that its schema has', () => {
    for (const { path, written } of rows) {
      if (written === undefined) continue;
      expect([path, leavesOf(optionsOf(without(example, path))).get(path)]).toEqual([path, JSON.parse(written)]);
    }
  });
});
