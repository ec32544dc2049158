import { describe, expect, test } from 'vitest';
import { GENERATORS } from '../learning/failures/generators/registry.ts';
import { STRATEGIES } from '../learning/strategies/registry.ts';
import type { Problem } from '../schemas/problem.ts';
import { problemsOf, specDocument } from '../test/support/spec-document.ts';
import { formatProblems } from './format-problems.ts';
import { parseDocument } from './parse-document.ts';

/** What says that one of the names of a registry was expected, all of them and no others. */
const namesIn = (registry: Readonly<Record<string, unknown>>) =>
  new RegExp(
    `^one of ${Object.keys(registry)
      .map((name) => `"${name}"`)
      .join(', ')}$`,
  );

interface Malformed {
  readonly title: string;
  readonly change: (spec: ReturnType<typeof specDocument>) => unknown;
  readonly path: string;
  readonly found: RegExp;
  readonly expected: RegExp;
  readonly nearest?: string;
  readonly code?: Problem['code'];
}

const MALFORMED: readonly Malformed[] = [
  {
    title: 'an unknown key',
    change: (spec) => ({ ...spec, evalution: {} }),
    path: 'evalution',
    found: /unknown key "evalution"/,
    expected: /evaluation/,
    nearest: 'evaluation',
  },
  {
    title: 'an unknown key of an algorithm',
    change: (spec) => ({ ...spec, algorithm: { name: 'ippo', hiden_sizes: [64] } }),
    path: 'algorithm.hiden_sizes',
    found: /unknown key/,
    expected: /hidden_sizes/,
    nearest: 'hidden_sizes',
  },
  {
    title: 'a key of an algorithm under the name that it has elsewhere',
    change: (spec) => ({ ...spec, algorithm: { name: 'ippo', lr: 0.001 } }),
    path: 'algorithm.lr',
    found: /unknown key "lr"/,
    expected: /learning_rate/,
    nearest: 'learning_rate',
  },
  {
    title: 'a misspelt key where the key says what the object is',
    change: (spec) => ({ ...spec, variants: { frozen: { strategy: { knid: 'frozen', simulator: 'zero' } } } }),
    path: 'variants.frozen.strategy.kind',
    found: /unknown key "knid" instead/,
    expected: namesIn(STRATEGIES),
    nearest: 'kind',
  },
  {
    title: 'a wrong type',
    change: (spec) => ({ ...spec, panels: 'zero' }),
    path: 'panels',
    found: /the text "zero"/,
    expected: /object with train, validation, test/,
  },
  {
    title: 'an unknown simulator',
    change: (spec) => ({ ...spec, panels: { ...spec.panels, test: ['farr'] } }),
    path: 'panels.test[0]',
    found: /unknown simulator "farr"/,
    expected: /catalogue of simple_spread/,
    nearest: 'far',
  },
  {
    title: 'an unknown simulator among those of a strategy',
    change: (spec) => ({
      ...spec,
      variants: { self: { strategy: { kind: 'self_play', simulators: ['zero', 'zer'] } } },
    }),
    path: 'variants.self.strategy.simulators[1]',
    found: /unknown simulator "zer"/,
    expected: /zero/,
    nearest: 'zero',
  },
  {
    title: 'an unknown simulator in a strategy',
    change: (spec) => ({ ...spec, variants: { frozen: { strategy: { kind: 'frozen', simulator: 'zer' } } } }),
    path: 'variants.frozen.strategy.simulator',
    found: /unknown simulator "zer"/,
    expected: /a simulator/,
    nearest: 'zero',
  },
  {
    title: 'overlapping panels',
    change: (spec) => ({ ...spec, panels: { ...spec.panels, test: ['left'] } }),
    path: 'panels.test[0]',
    found: /"left" in test, which is also one of panels.train/,
    expected: /no simulator in common/,
  },
  {
    title: 'panels that overlap by content under two names',
    change: (spec) => ({
      ...spec,
      simulators: { ...spec.simulators, other: spec.simulators.left },
      panels: { ...spec.panels, test: ['other'] },
    }),
    path: 'panels.test[0]',
    found: /"other" in test, which equals "left"/,
    expected: /whatever its name/,
  },
  {
    title: 'a strategy that trains on a held-out simulator',
    change: (spec) => ({ ...spec, variants: { frozen: { strategy: { kind: 'frozen', simulator: 'far' } } } }),
    path: 'panels.test[0]',
    found: /"far" in test, which is also one that the strategy trains on/,
    expected: /no simulator in common/,
  },
  {
    title: 'seeds repeated',
    change: (spec) => ({ ...spec, seeds: [3, 4, 3] }),
    path: 'seeds[2]',
    found: /3 a second time/,
    expected: /every entry once/,
  },
  {
    title: 'no seed',
    change: (spec) => ({ ...spec, seeds: [] }),
    path: 'seeds',
    found: /\[\]/,
    expected: /^at least 1 entry$/,
  },
  {
    title: 'a number as a string',
    change: (spec) => ({ ...spec, budget: { env_steps: '100000' } }),
    path: 'budget.env_steps',
    found: /the text "100000"/,
    expected: /a whole number/,
  },
  {
    title: 'empty variants',
    change: (spec) => ({ ...spec, variants: {} }),
    path: 'variants',
    found: /no variant/,
    expected: /from 1 to/,
  },
  {
    title: 'a huge count',
    change: (spec) => ({ ...spec, seeds: { first: 0, count: 1_000_000_000 } }),
    path: 'seeds.count',
    found: /1000000000/,
    expected: /from 1 to 10000/,
  },
  {
    title: 'no strategy',
    change: (spec) => ({ ...spec, variants: { nothing: {} } }),
    path: 'strategy',
    found: /nothing/,
    expected: /.*/,
  },
  {
    title: 'a learner without a seat',
    change: (spec) => ({ ...spec, learners: [2] }),
    path: 'learners[0]',
    found: /the seat 2/,
    expected: /from 0 to 1/,
  },
  {
    title: 'a range of an unknown parameter',
    change: (spec) => ({ ...spec, randomization: { 'rules.dampin': [0, 1] } }),
    path: 'randomization["rules.dampin"]',
    found: /unknown parameter/,
    expected: /rules.damping/,
    nearest: 'rules.damping',
  },
  {
    title: 'a range upside down',
    change: (spec) => ({ ...spec, randomization: { 'rules.damping': [0.5, 0.1] } }),
    path: 'randomization["rules.damping"]',
    found: /\[0.5,0.1\]/,
    expected: /low ≤ high/,
  },
  {
    title: 'a key that variants may not change',
    change: (spec) => ({
      ...spec,
      variants: { ...spec.variants, other: { strategy: { kind: 'pool', size: 2 }, seeds: [1] } },
    }),
    path: 'variants.other.seeds',
    found: /holds for the whole experiment/,
    expected: /strategy/,
  },
  {
    title: 'an unknown family',
    change: (spec) => ({ ...spec, family: 'simple_spred' }),
    path: 'family',
    found: /unknown family "simple_spred"/,
    expected: /simple_spread/,
    nearest: 'simple_spread',
  },
  {
    title: 'a family by the name that it has elsewhere',
    change: (spec) => ({ ...spec, family: 'overcooked' }),
    path: 'family',
    found: /unknown family "overcooked"/,
    expected: /kitchen/,
    nearest: 'kitchen',
  },
  {
    title: 'timeouts in the wrong order',
    change: (spec) => ({ ...spec, execution: { timeouts: { round: '2h', run: '1h' } } }),
    path: 'execution.timeouts.round',
    found: /"2h"/,
    expected: /at most execution.timeouts.run, "1h"/,
  },
  {
    title: 'a simulator to train on that leaves nobody to learn',
    change: (spec) => ({
      ...spec,
      simulators: { ...spec.simulators, full: { partners: { '0': { kind: 'scripted', name: 'noop' } } } },
      panels: { ...spec.panels, train: ['zero', 'full'] },
    }),
    path: 'panels.train[1]',
    found: /hold the seats of all learners \(0\)/,
    expected: /at least one learner/,
  },
  {
    title: 'an unknown strategy',
    change: (spec) => ({ ...spec, variants: { fd: { strategy: { kind: 'failures_driven' } } } }),
    path: 'variants.fd.strategy.kind',
    found: /"failures_driven"/,
    expected: namesIn(STRATEGIES),
    nearest: 'failure_driven',
  },
  {
    title: 'an unknown generator',
    change: (spec) => ({ ...spec, variants: { fd: { strategy: { kind: 'failure_driven', generator: 'learnt' } } } }),
    path: 'variants.fd.strategy.generator',
    found: /"learnt"/,
    expected: namesIn(GENERATORS),
    nearest: 'learned',
  },
  {
    title: 'a generator for a strategy that has none',
    change: (spec) => ({ ...spec, variants: { fd: { strategy: { kind: 'random_generator', generator: 'edits' } } } }),
    path: 'variants.fd.strategy.generator',
    found: /unknown key "generator"/,
    expected: /fresh_share/,
  },
  {
    title: 'a trainer beside an algorithm',
    change: (spec) => ({ ...spec, trainer: { kind: 'command', command: ['python3', 'train.py'] } }),
    path: 'trainer',
    found: /a trainer beside an `algorithm`/,
    expected: /one of the two/,
  },
  {
    title: 'a value that is not built',
    change: (spec) => ({ ...spec, execution: { require_fingerprint: true } }),
    path: 'execution.require_fingerprint',
    found: /true, which this version does not have/,
    expected: /false/,
    code: 'REQUEST_NOT_AVAILABLE',
  },
  {
    title: 'more samplers than environments',
    change: (spec) => ({
      ...spec,
      algorithm: { ...spec.algorithm, parallel_environments: 4 },
      execution: { sampler_processes: 5 },
    }),
    path: 'execution.sampler_processes',
    found: /^5$/,
    expected: /at most 4, the algorithm.parallel_environments/,
  },
  {
    title: 'more samplers than there can be',
    change: (spec) => ({ ...spec, execution: { sampler_processes: 65 } }),
    path: 'execution.sampler_processes',
    found: /65/,
    expected: /64/,
  },
  {
    title: 'a role that nobody learns and nobody plays',
    change: () => ({
      name: 'roles',
      family: 'simple_tag',
      learners: [0, 1, 2],
      algorithm: { name: 'ippo' },
      panels: { train: ['prey_idle'], test: ['base'] },
      variants: { frozen: { strategy: { kind: 'frozen', simulator: 'prey_idle' } } },
      budget: { env_steps: 100_000, rounds: 2 },
    }),
    path: 'panels.test[0]',
    found: /"base", which leaves seat 3 \(prey\) to a policy that nobody learns/,
    expected: /a partner on every seat/,
    code: 'REQUEST_INVALID_SPEC',
  },
  {
    title: 'a policy partner without its policy',
    change: (spec) => ({ ...spec, simulators: { ...spec.simulators, far: { partners: { '1': { kind: 'policy' } } } } }),
    path: 'simulators.far.partners["1"].artifact',
    found: /nothing/,
    expected: /an ONNX file/,
    code: 'REQUEST_INVALID_SPEC',
  },
  {
    title: 'a document that is no object',
    change: () => [1],
    path: '',
    found: /\[1\]/,
    expected: /an object/,
  },
];

describe('a malformed spec', () => {
  test.each(MALFORMED)('with $title is refused for that alone, with place and remedy', (malformed) => {
    const problems = problemsOf(malformed.change(specDocument()));
    expect(problems.map(({ path }) => path)).toEqual([malformed.path]);
    const [problem] = problems;
    expect(problem!.found).toMatch(malformed.found);
    expect(problem!.expected).toMatch(malformed.expected);
    expect(problem!.nearest).toBe(malformed.nearest);
    expect(problem!.code).toBe(malformed.code ?? 'REQUEST_INVALID_SPEC');
    expect(problem!.remedy).toMatch(/^[A-Z].*[.:}\d]$/);
  });

  test.each([
    ['batch_size', 'Rename it to "minibatch_size", or remove it.'],
    ['gae_lambda', 'Rename it to "lambda", or remove it.'],
    ['n_steps', 'Rename it to "rollout_steps", or remove it.'],
    ['timesteps', 'Write it as budget.env_steps.'],
    ['device', 'Write it as execution.device.'],
    ['seed', 'Write it as seeds.'],
    // The algorithm has nothing of the kind.
    ['buffer_size', 'Remove the key.'],
  ])('with %s among the settings of ippo is told where it belongs', (key, remedy) => {
    const spec = specDocument();
    expect(problemsOf({ ...spec, algorithm: { ...spec.algorithm, [key]: 1 } })).toMatchObject([{ remedy }]);
  });

  test('reports everything that is wrong in it at once', () => {
    const independent = MALFORMED.filter(({ title }) =>
      [
        'an unknown key',
        'an unknown key of an algorithm',
        'an unknown simulator',
        'seeds repeated',
        'a number as a string',
        'a range upside down',
        'a key that is not built',
        'timeouts in the wrong order',
      ].includes(title),
    );
    const spec = specDocument();
    const all = independent.reduce<object>((document, { change }) => {
      const changed = change(spec) as Record<string, unknown>;
      const different = Object.entries(changed).filter(([key, value]) => spec[key as 'name'] !== value);
      return { ...document, ...Object.fromEntries(different) };
    }, spec);
    const problems = problemsOf(all);
    expect(problems.map(({ path }) => path).sort()).toEqual(independent.map(({ path }) => path).sort());
    const text = formatProblems('bad.json', problems);
    expect(text).toContain(`bad.json: ${independent.length} problems`);
    for (const { path, found, expected, remedy } of problems) {
      for (const part of [path, found, expected, remedy]) expect(text).toContain(part);
    }
  });

  test('reports what all variants inherit once, and what one variant says under its name', () => {
    const spec = specDocument();
    const problems = problemsOf({
      ...spec,
      evaluation: { episodes: 0 },
      variants: { ...spec.variants, long: { strategy: { kind: 'pool', size: 2 }, algorithm: { epochs: 0 } } },
    });
    expect(problems.map(({ path, variant }) => ({ path, variant }))).toEqual([
      { path: 'evaluation.episodes', variant: undefined },
      { path: 'variants.long.algorithm.epochs', variant: 'long' },
    ]);
  });

  test('is refused also where every variant sets something else', () => {
    const spec = specDocument();
    expect(problemsOf({ ...spec, strategy: null })).toMatchObject([{ path: 'strategy', found: 'null' }]);
    expect(problemsOf({ ...spec, strategy: { kind: 'pol' } })).toMatchObject([
      { path: 'strategy.kind', nearest: 'pool' },
    ]);
  });

  test('of which only some variants suffer names those', () => {
    const spec = specDocument();
    const [problem] = problemsOf({ ...spec, randomization: {}, panels: { ...spec.panels, train: ['zero'] } });
    expect(problem).toMatchObject({ path: 'variants.pool.strategy.size', variant: 'pool' });
  });

  test('shows what a terminal would obey as its code, and long text shortened', () => {
    const [hidden, long] = ['\u202Eevil\u001b[2J', 'x'.repeat(5000)].map(
      (key) => problemsOf({ ...specDocument(), [key]: 1 })[0]!,
    );
    expect(hidden!.path + hidden!.found).toMatch(/\\u202eevil/);
    expect(JSON.stringify(hidden)).not.toMatch(/[\u202e\u001b]/);
    expect(long!.path.length + long!.found.length).toBeLessThan(1100);
  });

  test('that is not JSON is refused with line and column', () => {
    const parsed = parseDocument('{\n  "name": "x",\n  "seeds": [1, 2,]\n}');
    expect(parsed).toMatchObject({
      ok: false,
      problems: [{ code: 'REQUEST_NOT_JSON', found: '"]" at line 3, column 18', expected: 'a value' }],
    });
  });
});
