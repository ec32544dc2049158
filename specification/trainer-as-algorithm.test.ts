import { describe, expect, it } from 'vitest';
import { problemsOf, resolved, specDocument } from '../test/support/spec-document.ts';

const HASH = 'a'.repeat(64);
const TRAINER = {
  kind: 'command',
  command: ['python3', 'train.py'],
  files: { 'train.py': HASH },
  settings: { lr: 0.1 },
};

/** The experiment of the other tests, trained by a program. */
function trained(more: object = {}): Record<string, unknown> {
  const { algorithm, ...document } = specDocument();
  expect(algorithm.name).toBe('ippo');
  return { ...document, trainer: TRAINER, ...more };
}

describe('a trainer', () => {
  it('stands in the place of the algorithm, with every env step a block of its own', () => {
    const { algorithm } = resolved(trained()).variants['frozen']!;
    const { kind: name, ...settings } = TRAINER;
    expect(algorithm).toEqual({ name, ...settings, parallel_environments: 1, rollout_steps: 1 });
  });

  it('is a part of what is measured: its command, its settings and what is in its files', () => {
    const hashOf = (more: object) => resolved(trained({ trainer: { ...TRAINER, ...more } })).result_hash;
    const hashes = [
      {},
      { command: ['python3', '-O', 'train.py'] },
      { settings: { lr: 0.2 } },
      { files: { 'train.py': 'b'.repeat(64) } },
    ].map(hashOf);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('may be exchanged by a variant for an algorithm, changed in part by another, and the other way round', () => {
    const { variants } = specDocument();
    const theirs = resolved(
      trained({
        variants: {
          ...variants,
          ours: { ...variants['frozen'], algorithm: { name: 'ippo' } },
          faster: { ...variants['frozen'], trainer: { settings: { lr: 1 } } },
          usual: { ...variants['frozen'], trainer: null },
        },
      }),
    ).variants;
    expect(theirs['ours']!.algorithm.name).toBe('ippo');
    expect(theirs['usual']!.algorithm.name).toBe('ippo');
    expect(theirs['faster']!.algorithm).toMatchObject({ name: 'command', settings: { lr: 1 }, files: TRAINER.files });
    const ours = resolved({
      ...specDocument(),
      variants: { ...variants, theirs: { ...variants['pool'], trainer: TRAINER } },
    });
    expect(ours.variants['theirs']!.algorithm).toMatchObject({ name: 'command', command: TRAINER.command });
    expect(ours.variants['pool']!.algorithm.name).toBe('ippo');
  });

  it('leaves the hashes of experiments without one alone', () => {
    const plain = resolved(specDocument());
    const { variants } = specDocument();
    const beside = resolved({
      ...specDocument(),
      variants: { ...variants, theirs: { ...variants['pool'], trainer: TRAINER } },
    });
    expect(beside.variant_hashes['pool']).toBe(plain.variant_hashes['pool']);
  });
});

describe('what is wrong with a trainer is told where it was written', () => {
  const wrong = (change: object): readonly { path: string }[] => problemsOf(trained({ trainer: change }));
  it.each([
    ['no object', 'python train.py', 'trainer'],
    ['another kind', { ...TRAINER, kind: 'docker' }, 'trainer.kind'],
    ['no kind', { command: ['a'] }, 'trainer.kind'],
    ['no command', { kind: 'command' }, 'trainer.command'],
    ['an empty command', { ...TRAINER, command: [] }, 'trainer.command'],
    ['an unknown key', { ...TRAINER, setings: {} }, 'trainer.setings'],
    ['a name', { ...TRAINER, name: 'mine' }, 'trainer.name'],
    ['a way out of its folder', { ...TRAINER, files: { '../x.py': HASH } }, 'trainer.files'],
  ])('%s', (_, change, path) => {
    const places = wrong(change as object).map((problem) => problem.path);
    expect(
      places.some((place) => place.startsWith(path)),
      places.join(),
    ).toBe(true);
    expect(places.filter((place) => place.startsWith('algorithm'))).toEqual([]);
  });

  it('an algorithm beside it, and one that is wrong in a variant', () => {
    const both = problemsOf({ ...specDocument(), trainer: TRAINER });
    expect(both).toMatchObject([{ path: 'trainer', expected: 'one of the two' }]);
    const { variants } = specDocument();
    const problems = problemsOf(
      trained({ variants: { ...variants, other: { ...variants['pool'], trainer: { setings: {} } } } }),
    );
    expect(problems.map(({ path }) => path)).toEqual(['variants.other.trainer.setings']);
  });
});

describe('strategies beside a trainer', () => {
  const withStrategy = (strategy: object, more: object = {}) => trained({ variants: { only: { strategy, ...more } } });

  it.each([
    ['frozen', { kind: 'frozen', simulator: 'zero' }],
    ['pool', { kind: 'pool', size: 2 }],
    ['domain_randomization', { kind: 'domain_randomization', simulator: 'zero' }],
    ['failure_driven without a score', { kind: 'failure_driven', size: 2, score: 'none', mining: 'none' }],
    ['random_generator', { kind: 'random_generator', size: 2 }],
    ['novelty_generator', { kind: 'novelty_generator', size: 2 }],
    ['adaptive by learnability', { kind: 'adaptive', score: 'learnability' }],
    ['self_play', { kind: 'self_play' }],
    ['population', { kind: 'population' }],
  ])('%s is taken', (_, strategy) => {
    expect(resolved(withStrategy(strategy)).variants['only']!.strategy).toMatchObject(strategy);
  });

  it.each([
    ['failure_driven by shortfall', { kind: 'failure_driven', size: 2, mining: 'none' }, 'strategy.score', /critic/],
    ['adaptive by value loss', { kind: 'adaptive', score: 'positive_value_loss' }, 'strategy.score', /critic/],
    ['co_train', { kind: 'co_train' }, 'strategy.kind', /several policies/],
    ['population_based_training', { kind: 'population_based_training' }, 'strategy.hyperparameters', /nothing/],
  ])('%s is refused, with the reason', (_, strategy, path, found) => {
    const problems = problemsOf(withStrategy(strategy));
    expect(problems).toContainEqual(
      expect.objectContaining({ path: `variants.only.${path}`, found: expect.stringMatching(found) }),
    );
  });
});
