import fc from 'fast-check';
import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { jsonText } from '../table-formats/json-text.ts';
import { csvText, listingText } from '../table-formats/listing.ts';
import { visibleCell, visibleText } from './visible-text.ts';

/** Control and format characters after Unicode, and separators of lines and paragraphs. */
const ORDER = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const anyText = fc.string({ unit: 'binary' });

describe('text that is shown', () => {
  it('holds no order to a terminal but ends of lines and tabs, and all else is as it was', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(visibleText(text).replaceAll(/\r\n|[\n\t]/g, '')).not.toMatch(ORDER);
        expect(visibleCell(text)).not.toMatch(ORDER);
        if (!ORDER.test(text)) expect(visibleCell(text)).toBe(text);
      }),
    );
  });

  it.each([
    ['\u001b]0;owned\u0007', '␛]0;owned␇'],
    ['\u001b[2J\u001b[31mred', '␛[2J␛[31mred'],
    ['a\rb', 'a␍b'],
    ['\u009b2J', '<U+009B>2J'],
    ['\u202egpj.exe', '<U+202E>gpj.exe'],
    ['\u007f', '␡'],
  ])('shows %j as %j', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it('keeps our own colours where they are shown, and no other order', () => {
    const { red, green, bold, dim } = picocolors.createColors(true);
    for (const color of [red, green, bold, dim]) expect(visibleText(color('x'), { hasColors: true })).toBe(color('x'));
    expect(visibleText('\u001b[8mhidden', { hasColors: true })).toBe('␛[8mhidden');
  });

  it('stays on its line in a table, and keeps its lines in CSV', () => {
    const rows = [{ name: 'a\n"b"\u001b[2J' }];
    const columns = [{ key: 'name', value: ({ name }: { name: string }) => name }];
    expect(listingText(columns, rows, 'table').split('\n')).toEqual(['name', 'a␊"b"␛[2J']);
    expect(csvText(columns, rows)).toBe('name\r\n"a\n""b""␛[2J"\r\n');
  });

  it('is escaped in JSON, which means exactly what it meant', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const json = jsonText({ text });
        expect(json).not.toMatch(ORDER);
        expect((JSON.parse(json) as { text: string }).text).toBe(text);
      }),
    );
  });
});
