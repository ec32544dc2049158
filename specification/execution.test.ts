import { expect, test } from 'vitest';
import { problemsOf, resolved, specDocument } from '../test/support/spec-document.ts';

const withTimeouts = (timeouts: object) => ({ ...specDocument(), execution: { timeouts } });

test.each([
  [{ round: '1m' }, { round: '1m', stall: '1m', run: '6h' }],
  [{ run: '30s' }, { round: '30s', stall: '30s', run: '30s' }],
  [
    { round: '5m', stall: '1m' },
    { round: '5m', stall: '1m', run: '6h' },
  ],
  [{}, { round: '10m', stall: '2m', run: '6h' }],
])('of the timeouts %j those that are not written fit those that are', (written, expected) => {
  expect(resolved(withTimeouts(written)).execution.timeouts).toEqual(expected);
});

test('a written timeout is never shortened in silence', () => {
  expect(problemsOf(withTimeouts({ round: '1m', stall: '2m' }))).toMatchObject([{ path: 'execution.timeouts.stall' }]);
  expect(problemsOf(withTimeouts({ stall: '15m' }))).toMatchObject([{ path: 'execution.timeouts.stall' }]);
});
