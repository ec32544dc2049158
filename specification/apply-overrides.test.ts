import { describe, expect, test } from 'vitest';
import { problemsOf, resolved, specDocument } from '../test/support/spec-document.ts';
import { applyOverrides } from './apply-overrides.ts';

test.each([
  ['a.b=2', { a: { b: 1 } }, { a: { b: 2 } }],
  ['a.b.c=[1,2]', {}, { a: { b: { c: [1, 2] } } }],
  ['a["x.y"]={"z":1}', { a: {} }, { a: { 'x.y': { z: 1 } } }],
  ['a[1]="="', { a: [1, 2] }, { a: [1, '='] }],
  ['a=null', { a: 1, b: 2 }, { b: 2 }],
  ['variants.x.a=null', { variants: { x: { a: 1 } } }, { variants: { x: { a: null } } }],
  ['device=cpu', {}, { device: 'cpu' }],
  ['text="1"', {}, { text: '1' }],
])('--set %s', (text, before, after) => {
  expect(applyOverrides(before, [text])).toEqual({ document: after, findings: [] });
});

test('later arguments see what earlier ones set', () => {
  expect(applyOverrides({}, ['a={"b":1}', 'a.b=2']).document).toEqual({ a: { b: 2 } });
});

test.each([
  'rounds',
  '=1',
  'a..b=1',
  'a=[1',
  'a=1 2',
  'list[5]=1',
  'list.key=1',
  'a.__proto__.b=1',
  'a=1e999',
  'a={"b":1,"b":2}',
  '["\\q"]=1',
])('--set %s is refused and named', (text) => {
  const before = { list: [1] };
  const { document, findings } = applyOverrides(before, [text]);
  expect(document).toEqual(before);
  expect(findings).toHaveLength(1);
  expect(findings[0]!.found).toContain(`--set ${text}`);
});

describe('what is set', () => {
  test('is part of the resolved spec and of its hash', () => {
    const changed = resolved(specDocument(), ['budget.rounds=7', 'randomization["rules.damping"]=[0.1,0.2]']);
    expect(changed.variants.frozen!.budget.rounds).toBe(7);
    expect(changed.variants.frozen!.randomization).toEqual({ 'rules.damping': [0.1, 0.2] });
    expect(changed.result_hash).not.toBe(resolved(specDocument()).result_hash);
  });

  test('is checked like what is written', () => {
    expect(problemsOf(specDocument(), ['budget.rounds="7"', 'budgt=1', 'seeds='])).toMatchObject([
      { path: 'seeds', found: '--set seeds=' },
      { path: 'budgt', nearest: 'budget' },
      { path: 'budget.rounds', found: 'the text "7"' },
    ]);
  });
});
