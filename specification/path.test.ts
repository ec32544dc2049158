import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatPath, parsePath, withoutPaths } from './path.ts';

test('a path written as text reads back as itself', () => {
  const part = fc.oneof(fc.string(), fc.nat());
  fc.assert(
    fc.property(fc.string(), fc.array(part, { maxLength: 5 }), (key, rest) => {
      expect(parsePath(formatPath([key, ...rest]))).toEqual([key, ...rest]);
    }),
  );
});

test.each([
  ['budget.rounds', ['budget', 'rounds']],
  ['randomization["rules.damping"]', ['randomization', 'rules.damping']],
  ['simulators.zero.partners.1.landmark', ['simulators', 'zero', 'partners', '1', 'landmark']],
  ['panels.test[0]', ['panels', 'test', 0]],
])('%s is the path %j', (text, path) => {
  expect(parsePath(text)).toEqual(path);
});

test.each(['', '.a', 'a..b', 'a.', 'a[', 'a[x]', 'a b', '["\\q"]'])('%j is no path', (text) => {
  expect(parsePath(text)).toBeNull();
});

test('what is taken out of a document leaves the rest, and arrays close up', () => {
  const document = { a: { b: 1, c: 2 }, d: [10, 11, 12] };
  expect(withoutPaths(document, [['a', 'b'], ['d', 0], ['d', 2], ['e']])).toEqual({ a: { c: 2 }, d: [11] });
});
