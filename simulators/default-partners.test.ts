import { expect, it } from 'vitest';
import { withoutDefaultPartners } from './default-partners.ts';

const simulator = (partners: Record<string, { kind: 'self' | 'scripted'; name?: string }>) => ({
  partners,
  rules: {},
  scenarios: {},
  rewards: {},
  perturbations: {},
});

it('on a seat that does not learn, self is the same as nobody', () => {
  const scripted = { kind: 'scripted', name: 'noop' } as const;
  const written = simulator({ '1': { kind: 'self' }, '2': scripted });
  expect(withoutDefaultPartners(written, [0])).toEqual(simulator({ '2': scripted }));
});

it('on a learner’s seat it replaces the learner, and what needs no change is left as it is', () => {
  const written = simulator({ '1': { kind: 'self' } });
  expect(withoutDefaultPartners(written, [0, 1])).toBe(written);
});
