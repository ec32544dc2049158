import { expect, test } from 'vitest';
import { problemsOf, resolveDocument, specDocument } from '../test/support/spec-document.ts';

const withTest = (alone: object, strategy: object) => ({
  ...specDocument(),
  simulators: { ...specDocument().simulators, alone },
  panels: { train: ['zero'], validation: ['top'], test: ['alone'] },
  variants: { made: { strategy } },
});

test.each([
  ['self_play', {}],
  ['self_play', { partners: { '1': { kind: 'self' } } }],
  ['population', {}],
])('%s, which puts the current policy beside the learner, may not be tested on %j', (kind, alone) => {
  const problems = problemsOf(withTest(alone, { kind }));
  expect(problems).toMatchObject([{ path: 'panels.test[0]' }]);
  for (const words of ['alone', 'zero+', kind]) expect(problems[0]!.found).toContain(words);
});

test('under other rules it is another simulator', () => {
  const alone = { partners: { '1': { kind: 'self' } }, rules: { damping: 0.5 } };
  expect(resolveDocument(withTest(alone, { kind: 'self_play' }))).toMatchObject({ ok: true });
});
