import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileNameFrom } from './file-name.ts';

const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);
const count = fc.nat();
const policy = (given: string, ...numbers: number[]) => fileNameFrom({ name: given, numbers, ending: 'onnx' });

describe('the name of a file', () => {
  it('stays in its folder whatever it is made of, or is refused', () => {
    const anyName = fc.oneof(name, fc.string({ unit: 'binary' }), fc.constantFrom('.', '..', '../up', 'a/b', '/', ''));
    fc.assert(
      fc.property(anyName, count, count, (given, seed, group) => {
        if (!/^[A-Za-z0-9][\w.-]*$/.test(given) || given.endsWith('\n')) {
          expect(() => policy(given, seed, group)).toThrow('cannot be part of the name of a file');
          return;
        }
        const file = path.join('/folder', policy(given, seed, group));
        expect(path.dirname(file)).toBe('/folder');
        expect(path.basename(file)).toMatch(/^[\w.-]+\.onnx$/);
        expect(path.basename(file).startsWith('.')).toBe(false);
      }),
    );
  });

  it('belongs to one variant, seed and group', () => {
    fc.assert(
      fc.property(fc.tuple(name, count, count), fc.tuple(name, count, count), (one, other) => {
        expect(policy(...one) === policy(...other)).toBe(String(one) === String(other));
      }),
    );
    expect(policy('a', 1, 2)).not.toBe(policy('a-1', 2, 0));
  });

  it.each(['..', 'a/b', 'a\\b', 'a\nb', '.hidden', 'a\u0000', 'ａ', 'x'.repeat(151)])('is not made of %j', (given) => {
    expect(() => policy(given, 0)).toThrow();
  });

  it.each([-1, 0.5, NaN, Infinity])('is not made of the number %d', (number) => {
    expect(() => policy('a', number)).toThrow();
  });
});
