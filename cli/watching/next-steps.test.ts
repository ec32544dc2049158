import { expect, it } from 'vitest';
import { nextSteps } from './next-steps.ts';

it('names the verb for each kind of end, and nothing where all succeeded', () => {
  const after = (...states: Parameters<typeof nextSteps>[1][number]['state'][]) =>
    nextSteps(
      'x-1',
      states.map((state) => ({ state })),
    );
  expect(after('SUCCEEDED', 'SKIPPED', 'RUNNING')).toBe('');
  expect(after('SUCCEEDED', 'CANCELLED')).toMatch(/^\n {2}thaw resume x-1 [^\n]*$/);
  for (const state of ['FAILED', 'CRASHED', 'TIMED_OUT'] as const) {
    expect(after('SUCCEEDED', state)).toMatch(/^\n {2}thaw retry --failed x-1 [^\n]*$/);
  }
  expect(after('SUCCEEDED', 'PAUSED')).toMatch(/^\n {2}thaw resume x-1 [^\n]*paused[^\n]*$/);
  expect(after('CRASHED', 'CANCELLED').match(/\n/g)).toHaveLength(2);
});
