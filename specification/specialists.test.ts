import { describe, expect, test } from 'vitest';
import { problemsOf, resolved, specDocument } from '../test/support/spec-document.ts';
import { LIMITS } from '../schemas/experiment-limits.ts';
import { openWorld } from './open-world.ts';
import { DEFAULT_REGISTRIES } from './registries.ts';
import { simulatorHash } from './identity.ts';

const scripted = (name: string) => ({ partners: { '1': { kind: 'scripted', name } } });

/** The example with two held-out simulators, and specialists. */
function asking(specialists: unknown, change: object = {}) {
  const document = specDocument();
  const panels = { ...document.panels, test: ['far', 'right'] };
  const simulators = { ...document.simulators, right: scripted('rightmost_landmark') };
  return { ...document, panels, simulators, specialists, ...change };
}

describe('specialists', () => {
  test('of each train on one test simulator, and one of the panel on all of them', () => {
    const { variants, specialists } = resolved(asking(['panel', 'each']));
    expect(specialists).toEqual({
      'specialist.far': 'each',
      'specialist.right': 'each',
      'specialist.panel': 'panel',
    });
    expect(Object.keys(variants)).toEqual(['frozen', 'pool', ...Object.keys(specialists)]);
    expect(variants['specialist.far']).toMatchObject({
      strategy: { kind: 'frozen', simulator: 'far' },
      panels: { train: ['far'], validation: [], test: [] },
    });
    expect(variants['specialist.panel']).toMatchObject({
      strategy: { kind: 'pool', size: 2, weights: null },
      panels: { train: ['far', 'right'], validation: [], test: [] },
    });
  });

  test('train on the very simulators that are held out from the others', () => {
    const { variants } = resolved(asking(['each']));
    const specialist = variants['specialist.far']!;
    const world = openWorld(specialist, DEFAULT_REGISTRIES);
    const hashes = [specialist, variants.pool!].map(({ simulators }) => simulatorHash(world, simulators.far!));
    expect(hashes[0]).toBe(hashes[1]);
  });

  test('have the algorithm, the budget and the evaluation of the experiment, whatever its variants change', () => {
    const document = asking(['each', 'panel']);
    const frozen = { ...document.variants.frozen, algorithm: { gamma: 0.5 }, budget: { rounds: 2 }, evaluation: null };
    const { variants } = resolved({ ...document, variants: { frozen, pool: document.variants.pool } });
    const names = Object.keys(variants).filter((name) => name.startsWith('specialist.'));
    expect(names).toHaveLength(3);
    for (const name of names) {
      const { algorithm, budget, evaluation } = variants[name]!;
      expect({ algorithm, budget, evaluation }).toEqual({
        algorithm: variants.pool!.algorithm,
        budget: variants.pool!.budget,
        evaluation: variants.pool!.evaluation,
      });
    }
  });

  test('are one for simulators and panels of equal content, under the first name and in any order', () => {
    const document = asking(['each', 'panel']);
    const simulators = { ...document.simulators, twin: document.simulators.far };
    const pool = { ...document.variants.pool, panels: { test: ['right', 'twin'] } };
    const { specialists } = resolved({ ...document, simulators, variants: { ...document.variants, pool } });
    expect(Object.keys(specialists)).toEqual(['specialist.far', 'specialist.right', 'specialist.panel']);
  });

  test('of other content are others, numbered where they have one name', () => {
    const document = asking(['each', 'panel']);
    const pool = { ...document.variants.pool, simulators: { far: { rules: { damping: 0.4 } } } };
    const { specialists, variants } = resolved({ ...document, variants: { ...document.variants, pool } });
    expect(Object.keys(specialists)).toEqual([
      'specialist.far',
      'specialist.right',
      'specialist.far.2',
      'specialist.panel',
      'specialist.panel.2',
    ]);
    expect(variants['specialist.far.2']!.simulators.far!.rules.damping).toBe(0.4);
  });

  test('live in the world of the variant that holds their simulators out', () => {
    const document = asking(['each']);
    const options = { agents: 2, observe_velocities: true };
    const pool = { ...document.variants.pool, family_options: options };
    const { variants } = resolved({ ...document, variants: { ...document.variants, pool } });
    expect(variants['specialist.far']!.family_options).toMatchObject({ observe_velocities: false });
    expect(variants['specialist.far.2']!.family_options).toMatchObject(options);
  });

  test('change nothing of the variants that were written, and are none where nobody asks', () => {
    const without = resolved(asking([]));
    const withThem = resolved(asking(['each', 'panel']));
    expect(without.specialists).toEqual({});
    for (const [name, hash] of Object.entries(without.variant_hashes)) expect(withThem.variant_hashes[name]).toBe(hash);
  });
});

describe('refused are', () => {
  test('a variant that has the name of a specialist', () => {
    const document = asking(['each']);
    const variants = { ...document.variants, 'specialist.far': document.variants.pool };
    expect(problemsOf({ ...document, variants })).toMatchObject([{ path: 'variants["specialist.far"]' }]);
  });

  test('specialists of an experiment that holds nothing out', () => {
    const panels = { train: ['zero', 'left'], validation: ['top'], test: [] };
    expect(problemsOf(asking(['panel'], { panels }))).toMatchObject([{ path: 'specialists', found: '["panel"]' }]);
  });

  test('specialists without a budget of the experiment, at the place where it is missing', () => {
    const { budget, ...document } = asking(['each']);
    const variants = Object.fromEntries(
      Object.entries(document.variants).map(([name, variant]) => [name, { ...variant, budget }]),
    );
    expect(problemsOf({ ...document, variants })).toMatchObject([{ path: 'budget', variant: 'specialist.far' }]);
  });

  test('a specialist where nobody would learn', () => {
    const document = asking(['each']);
    const right = { partners: { '0': { kind: 'scripted', name: 'noop' }, '1': { kind: 'scripted', name: 'noop' } } };
    const problems = problemsOf({ ...document, simulators: { ...document.simulators, right } });
    expect(problems).toMatchObject([{ path: 'specialists', variant: 'specialist.right' }]);
  });

  test('unknown and repeated values, and the key in a variant', () => {
    expect(problemsOf(asking(['all']))[0]!.path).toBe('specialists[0]');
    expect(problemsOf(asking(['each', 'each']))[0]!.path).toBe('specialists[1]');
    const document = asking([]);
    const pool = { ...document.variants.pool, specialists: ['each'] };
    expect(problemsOf({ ...document, variants: { pool } })).toMatchObject([{ path: 'variants.pool.specialists' }]);
  });

  test('more runs than there may be, when it is the specialists that make them so many', () => {
    const count = LIMITS.seedCount;
    const document = asking(['each'], { seeds: { count } });
    const names = Array.from({ length: Math.floor(LIMITS.runCount / count) }, (_, index) => `v${index}`);
    const variants = Object.fromEntries(names.map((name) => [name, document.variants.pool]));
    expect(problemsOf({ ...document, variants })).toMatchObject([{ path: 'seeds' }]);
    expect(Object.keys(resolved({ ...document, variants, specialists: [] }).variants)).toEqual(names);
  });
});
