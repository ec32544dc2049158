import { expect, test } from 'vitest';
import { problemsOf, resolved, specDocument } from '../test/support/spec-document.ts';

const withSamplers = (samplers: number, environments: Readonly<Record<string, number>> = {}) => {
  const spec = specDocument();
  const variants = Object.entries(spec.variants).map(([name, variant]) => [
    name,
    name in environments ? { ...variant, algorithm: { parallel_environments: environments[name] } } : variant,
  ]);
  return { ...spec, variants: Object.fromEntries(variants), execution: { sampler_processes: samplers } };
};

test('as many samplers as environments can be asked for, and one more cannot', () => {
  expect(resolved(withSamplers(8, { pool: 8 })).execution.sampler_processes).toBe(8);
  expect(problemsOf(withSamplers(9, { pool: 8 }))).toMatchObject([
    {
      path: 'execution.sampler_processes',
      found: '9',
      expected: expect.stringContaining('at most 8'),
      variant: 'pool',
    },
  ]);
});

test('the variant with the fewest environments tells how many there may be', () => {
  const fewest = { ...Object.fromEntries(Object.keys(specDocument().variants).map((name) => [name, 6])), pool: 2 };
  const [problem, ...others] = problemsOf(withSamplers(7, fewest));
  expect(others).toEqual([]);
  expect(problem).toMatchObject({ expected: expect.stringContaining('at most 2') });
  expect(problem).not.toHaveProperty('variant');
});
