import { describe, expect, test } from 'vitest';
import { problemsOf, resolveDocument, specDocument } from '../test/support/spec-document.ts';

const fixed = (landmark: number, rules: object = {}) => ({
  partners: { '1': { kind: 'scripted', name: 'fixed_landmark', landmark } },
  rules,
});
const DOMAIN_RANDOMIZATION = { strategy: { kind: 'domain_randomization', simulator: 'zero' } };

/** Trains around `zero`, whose partner goes to landmark 0, and holds out another simulator. */
const heldOutSpec = (heldOut: object, randomization: object, panel: 'test' | 'validation' = 'test') => ({
  ...specDocument(),
  simulators: { ...specDocument().simulators, zero: fixed(0), heldOut },
  panels: { train: ['zero'], validation: [], test: [], [panel]: ['heldOut'] },
  randomization,
  variants: { varied: DOMAIN_RANDOMIZATION },
});

const LANDMARK = 'partners.1.landmark';

describe('a held-out simulator', () => {
  test.each([[[1, 1]], [[0, 1]]])('that draws of the whole numbers %j make of the trained one is refused', (range) => {
    for (const panel of ['test', 'validation'] as const) {
      const problems = problemsOf(heldOutSpec(fixed(1), { [LANDMARK]: range }, panel));
      expect(problems).toMatchObject([{ path: `panels.${panel}[0]` }]);
      for (const words of ['heldOut', 'zero', LANDMARK, JSON.stringify(range)])
        expect(problems[0]!.found).toContain(words);
    }
  });

  test('that a pool is filled up with is refused, where the pool needs filling', () => {
    const spec = (size: number) => ({
      ...heldOutSpec(fixed(1), { [LANDMARK]: [0, 1] }),
      variants: { pool: { strategy: { kind: 'pool', size } } },
    });
    expect(problemsOf(spec(3))).toMatchObject([{ path: 'panels.test[0]' }]);
    expect(resolveDocument(spec(1)).ok).toBe(true);
  });

  test.each(['random_generator', 'adaptive'])('that %s can draw around the train panel is refused', (kind) => {
    const spec = { ...heldOutSpec(fixed(1), { [LANDMARK]: [0, 1] }), variants: { varied: { strategy: { kind } } } };
    expect(problemsOf(spec)).toMatchObject([{ path: 'panels.test[0]' }]);
    const apart = { [LANDMARK]: [0, 0], 'rules.damping': [0.1, 0.5] };
    expect(resolveDocument({ ...spec, randomization: apart }).ok).toBe(true);
  });

  test('whose other numbers a draw cannot reach is allowed', () => {
    expect(resolveDocument(heldOutSpec(fixed(1), { [LANDMARK]: [0, 0] })).ok).toBe(true);
    expect(resolveDocument(heldOutSpec(fixed(1, { damping: 0.2 }), { [LANDMARK]: [0, 1] })).ok).toBe(true);
    const wider = { [LANDMARK]: [0, 1], 'rules.damping': [0.3, 0.5] };
    expect(resolveDocument(heldOutSpec(fixed(1, { damping: 0.2 }), wider)).ok).toBe(true);
  });

  test('inside an interval is allowed, because a draw equals it with probability 0, and refused for a single value', () => {
    const physics = fixed(0, { damping: 0.2 });
    expect(resolveDocument(heldOutSpec(physics, { 'rules.damping': [0.1, 0.5] })).ok).toBe(true);
    expect(problemsOf(heldOutSpec(physics, { 'rules.damping': [0.2, 0.2] }))).toHaveLength(1);
  });

  test('that differs in a whole number alone is refused also where its physics varies around it', () => {
    const ranges = { [LANDMARK]: [0, 1], 'rules.damping': [0.1, 0.5] };
    expect(problemsOf(heldOutSpec(fixed(1), ranges))).toMatchObject([{ path: 'panels.test[0]' }]);
  });
});

describe('a range', () => {
  const spec = (simulator: string, range: object) => ({
    ...specDocument(),
    randomization: { 'rules.damping': [0.1, 0.5], ...range },
    variants: { varied: { strategy: { kind: 'domain_randomization', simulator } } },
  });

  test.each([
    ['for a partner of another kind', 'left', LANDMARK, [0, 1]],
    ["for the learner's own seat", 'left', 'partners.0.epsilon', [0, 0.5]],
  ])('%s changes nothing and is refused', (_what, simulator, path, range) => {
    const problems = problemsOf(spec(simulator, { [path]: range }));
    expect(problems).toMatchObject([{ path: `randomization["${path}"]` }]);
    expect(problems[0]!.found).toContain(simulator);
    expect(problems[0]!.remedy).toContain('null');
  });

  test.each(['random_generator', 'adaptive'])('that fits no member of the train panel is refused under %s', (kind) => {
    const idle = { ...spec('zero', { 'partners.0.epsilon': [0, 0.5] }), variants: { varied: { strategy: { kind } } } };
    expect(problemsOf(idle)).toMatchObject([{ path: 'randomization["partners.0.epsilon"]' }]);
  });

  test('that fits some of the simulators that are varied is allowed, and so are ranges that nothing draws from', () => {
    const ranges = { 'partners.1.landmark': [0, 1] };
    const pool = (size: number) => ({
      ...spec('zero', ranges),
      variants: { pool: { strategy: { kind: 'pool', size } } },
    });
    expect(resolveDocument(pool(4)).ok).toBe(true);
    expect(
      resolveDocument({ ...spec('zero', { 'partners.0.epsilon': [0, 1] }), variants: specDocument().variants }).ok,
    ).toBe(true);
  });
});
