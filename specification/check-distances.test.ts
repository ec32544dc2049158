import { describe, expect, test } from 'vitest';
import { problemsOf, resolved, resolveDocument, specDocument } from '../test/support/spec-document.ts';
import { resolveExperiment } from './resolve.ts';
import { DEFAULT_REGISTRIES } from './registries.ts';

/** The valid document, with test simulators by name. */
function withTest(simulators: Record<string, object>, changes: object = {}) {
  const document = specDocument();
  return {
    ...document,
    simulators: { ...document.simulators, ...simulators },
    panels: { ...document.panels, test: Object.keys(simulators) },
    ...changes,
  };
}

const left = (rules: object, numbers: object = {}) => ({
  partners: { '1': { kind: 'scripted', name: 'leftmost_landmark', ...numbers } },
  rules,
});
/** All but the training simulator "left". */
const near = left({ damping: 0.2501 });

describe('a held-out simulator that is all but a training one', () => {
  test('is refused at its place, with the names, the numbers and the ways out', () => {
    const problems = problemsOf(withTest({ distinct: left({ damping: 0.8 }), near }));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ code: 'REQUEST_INVALID_SPEC', path: 'panels.test[1]' });
    expect(problems[0]!.found).toMatch(/^"near".*"left": trajectory_kl [\d.e-]+ \(floor [\d.]+\)/);
    expect(problems[0]!.found).toContain('(floor 0.02)');
    expect(problems[0]!.found).toContain('reward_distribution');
    expect(problems[0]!.remedy).toMatch(/diversity\.floor.*diversity\.waiver/);
  });

  test('is refused in validation too, and beside what a strategy trains on', () => {
    const document = withTest({ distinct: left({ damping: 0.8 }), near });
    const panels = { train: ['zero'], validation: ['near'], test: ['distinct'] };
    const variants = { frozen: { strategy: { kind: 'frozen', simulator: 'left' } } };
    expect(problemsOf({ ...document, panels, variants })).toMatchObject([{ path: 'panels.validation[0]' }]);
  });

  test('is accepted when one floor is below its distance', () => {
    const diversity = { floor: { state_visitation: 0 } };
    const { variants } = resolved(withTest({ near }, { diversity }));
    expect(variants['pool']!.diversity).toEqual({ metric: 'state_visitation', floor: { state_visitation: 0 } });
  });

  test('is accepted with a waiver, which is kept with the pairs it is for', () => {
    const diversity = { waiver: 'only the smallest change counts here' };
    const { waiver } = resolved(withTest({ near }, { diversity })).variants['pool']!.diversity;
    expect(waiver).toMatchObject({ reason: diversity.waiver, pairs: [{ heldout: 'near', train: 'left' }] });
    const { distances, floors } = waiver!.pairs[0]!;
    expect(Object.keys(distances)).toEqual(Object.keys(floors));
    expect(distances.state_visitation).toBeLessThan(floors.state_visitation);
  });

  test('is seen only where a variant trains on what it is close to', () => {
    const variants = {
      frozen: { strategy: { kind: 'frozen', simulator: 'zero' }, panels: { train: ['zero'] } },
      pool: { strategy: { kind: 'pool', size: 2 } },
    };
    expect(problemsOf(withTest({ near }, { variants }))).toMatchObject([{ path: 'panels.test[0]', variant: 'pool' }]);
  });

  test('may be looked at all the same', () => {
    const context = { fileName: 'near.json', registries: DEFAULT_REGISTRIES, acceptsCloseSimulators: true };
    expect(resolveExperiment(withTest({ near }), context)).toMatchObject({ ok: true });
  });
});

test('partners that only choose differently are told apart, though they are everywhere equally often', () => {
  const any = { partners: { '1': { kind: 'scripted', name: 'random_landmark' } } };
  expect(resolveDocument(withTest({ any }))).toMatchObject({ ok: true });
});

test('partners that no probe can play, self or a policy, are not held against each other', () => {
  const floor = { trajectory_kl: 1e6, state_visitation: 1, reward_distribution: 1e6 };
  const document = withTest({ same: { partners: { '1': { kind: 'self' } } } }, { diversity: { floor } });
  const panels = { train: ['zero', 'left'], validation: [], test: ['same'] };
  expect(resolveDocument({ ...document, panels })).toMatchObject({ ok: true });
});

test('floors that are set hold for all held-out simulators', () => {
  const floor = { trajectory_kl: 1e6, state_visitation: 1, reward_distribution: 1e6 };
  const problems = problemsOf({ ...specDocument(), diversity: { floor } });
  expect(problems.map(({ path }) => path)).toEqual(['panels.validation[0]', 'panels.test[0]']);
});

test('nothing is played before all else is right', () => {
  const problems = problemsOf({ ...withTest({ near }), budget: { env_steps: -1 } });
  expect(problems.map(({ path }) => path)).toEqual(['budget.env_steps']);
});

test('metric, floors and waivers decide whether a run may start, and are no part of what it is', () => {
  const plain = resolved(specDocument());
  const diversity = { floor: { trajectory_kl: 0.001 }, waiver: 'not needed' };
  const waived = resolved({ ...specDocument(), diversity });
  expect(waived.variants['pool']!.diversity.waiver).toEqual({ reason: 'not needed', pairs: [] });
  expect(waived.variant_hashes).toEqual(plain.variant_hashes);
  expect(waived.result_hash).toBe(plain.result_hash);
  const otherMetric = resolved({ ...specDocument(), diversity: { metric: 'trajectory_kl' } });
  expect(otherMetric.result_hash).toBe(plain.result_hash);
});
