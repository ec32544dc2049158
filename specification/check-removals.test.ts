import { describe, expect, it } from 'vitest';
import { problemsOf, resolved, specDocument } from '../test/support/spec-document.ts';

const withVariant = (override: object) => {
  const spec = specDocument();
  return { ...spec, variants: { ...spec.variants, other: { strategy: { kind: 'pool', size: 2 }, ...override } } };
};

describe('null in a variant', () => {
  it('removes what the experiment has', () => {
    const experiment = resolved(withVariant({ randomization: { 'rules.damping': null } }));
    expect(experiment.variants['other']!.randomization).toEqual({});
  });

  it('is idle where the experiment lacks what could stand there', () => {
    expect(
      resolved(withVariant({ randomization: { 'rules.acceleration': null }, evaluation: { seed: null } })),
    ).toBeTruthy();
  });

  it.each([
    [{ randomization: { 'rules.dampin': null } }, 'variants.other.randomization["rules.dampin"]', 'rules.damping'],
    [{ algorithm: { hiden_sizes: null } }, 'variants.other.algorithm.hiden_sizes', 'hidden_sizes'],
    [{ evaluation: { episods: null } }, 'variants.other.evaluation.episods', 'episodes'],
    [{ simulators: { zer: null } }, 'variants.other.simulators.zer', 'zero'],
  ])('[P96] is refused for a key that nothing has, with the key that was meant: %j', (override, path, nearest) => {
    expect(problemsOf(withVariant(override))).toMatchObject([{ path, nearest }]);
  });
});
