import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument } from './parse-document.ts';

describe('a document', () => {
  test('that JSON.parse reads is read alike', () => {
    const value = fc.jsonValue().filter((json) => !JSON.stringify(json).includes('__proto__'));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2), (json, indent) => {
        const text = JSON.stringify(json, null, indent);
        expect(parseDocument(text)).toEqual({ ok: true, document: JSON.parse(text) as unknown });
      }),
    );
  });

  test('is JSON exactly when JSON.parse says so', () => {
    const valid = '{"a": [1, -2.5e3, true, null], "b": {"c": "x\\n\\u0041"}}';
    fc.assert(
      fc.property(fc.nat(valid.length - 1), fc.constantFrom('', ',', '}', '"', '0', '\n', '\\'), (at, inserted) => {
        const text = `${valid.slice(0, at)}${inserted}${valid.slice(at + 1)}`;
        const isJson = (() => {
          try {
            JSON.parse(text);
            return true;
          } catch {
            return false;
          }
        })();
        const parsed = parseDocument(text);
        const isSyntaxWrong = !parsed.ok && parsed.problems.some(({ code }) => code === 'REQUEST_NOT_JSON');
        expect(isSyntaxWrong).toBe(!isJson);
      }),
      { numRuns: 500 },
    );
  });

  test('may have comments wherever space may be, and nothing of them is kept', () => {
    const json = { 'a // no comment': ['/* neither */', 1, -2.5], b: { c: null } };
    const tokens = JSON.stringify(json).match(/"[^"]*"|[-\d.]+|null|[{}[\],:]/g)!;
    expect(tokens.join('')).toBe(JSON.stringify(json));
    const comment = fc.constantFrom('', ' ', '// to the end "of" the line }\n', '// as of old\r', '/* a\n, */', '/**/');
    fc.assert(
      fc.property(fc.array(comment, { minLength: tokens.length, maxLength: tokens.length }), (comments) => {
        const text = tokens.map((token, index) => comments[index]! + token).join('') + '// the end';
        expect(parseDocument(text)).toEqual({ ok: true, document: json });
      }),
    );
  });

  test.each([
    ['{"a": 1 /* open', 'the end of the comment', 'line 1, column 9'],
    ['{"a": 1 / 2}', 'a comma or the end of the object', 'line 1, column 9'],
    ['{"a": 1 # no\n}', 'a comma or the end of the object', 'line 1, column 9'],
    ['// nothing else', 'a value', 'line 1, column 16'],
  ])('that is wrong beside its comments, as %s, is refused by the place', (text, expected, place) => {
    const parsed = parseDocument(text);
    if (parsed.ok) throw new Error('It was accepted.');
    expect(parsed.problems[0]!.found).toContain(place);
    expect(parsed.problems[0]!.expected).toContain(expected);
  });

  test('[P68] with a key twice names the place, because one of the two would vanish', () => {
    const parsed = parseDocument('{"variants": {"pool": {}, "frozen": {}, "pool": {}}, "a": [{"b": 1, "b": 2}]}');
    expect(parsed).toMatchObject({
      ok: false,
      problems: [
        { path: 'variants.pool', found: 'the key "pool" twice' },
        { path: 'a[0].b', found: 'the key "b" twice' },
      ],
    });
  });

  test('that names the prototype of objects is refused', () => {
    expect(parseDocument('{"__proto__": {"polluted": true}}')).toMatchObject({
      ok: false,
      problems: [{ path: '__proto__' }],
    });
  });

  test.each([
    ['{"a": ["x\\u0000"]}', 'a[0]'],
    ['{"a": "\\ud800"}', 'a'],
    ['{"a": "\\udfff\\ud800"}', 'a'],
    ['{"b\\u0000": 1}', '["b\\u0000"]'],
  ])('refuses the text of %s, which no database holds, by its place', (text, path) => {
    const parsed = parseDocument(text);
    expect(parsed).toMatchObject({ ok: false, problems: [{ path, expected: 'text' }] });
    expect(parseDocument('{"a": "\\ud83d\\ude00"}')).toEqual({ ok: true, document: { a: '😀' } });
  });

  test('reads a negative zero as 0, which it is once it is stored', () => {
    expect(parseDocument('[-0, -0.0, 0]')).toEqual({ ok: true, document: [0, 0, 0] });
  });

  test.each(['1e999', '-1e999', '1' + '0'.repeat(400)])(
    'refuses %s, which no number of a computer holds, by its place',
    (text) => {
      const parsed = parseDocument(`{"a": [1, ${text}]}`);
      expect(parsed).toMatchObject({
        ok: false,
        problems: [{ path: 'a[1]', found: text, code: 'REQUEST_INVALID_SPEC' }],
      });
    },
  );

  test.each([
    '',
    '{',
    '[1,',
    '{"a" 1}',
    '{a: 1}',
    '[1] 2',
    '[01]',
    "{'a': 1}",
    '['.repeat(100) + ']'.repeat(100),
    '['.repeat(100_000),
  ])('%j is refused with a line and a column', (text) => {
    const parsed = parseDocument(text);
    expect(parsed).toMatchObject({ ok: false, problems: [{ code: 'REQUEST_NOT_JSON' }] });
    if (!parsed.ok) expect(parsed.problems[0]!.found).toMatch(/ at line 1, column \d+$/);
  });
});
