import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fillBlocks } from './fill-blocks.ts';

const prose = fc.string().filter((text) => !text.includes('<!--'));
const document = fc
  .array(fc.tuple(prose, fc.constantFrom('a', 'table b')))
  .map((parts) => parts.map(([text, block]) => `${text}\n<!-- generated: ${block} -->\nold\n<!-- end -->\n`).join(''));
const fill = (text: string) => fillBlocks(text, (block) => `new ${block}`);

it('writes every block anew, and nothing else', () => {
  const text =
    'before\n<!-- generated: table x -->\n<!-- end -->\nbetween <!-- end -->\n<!-- generated: y -->\nold\n<!-- end -->';
  expect(fill(text)).toBe(
    'before\n<!-- generated: table x -->\n\nnew table x\n\n<!-- end -->\nbetween <!-- end -->\n' +
      '<!-- generated: y -->\n\nnew y\n\n<!-- end -->',
  );
});

it('twice is once', () => {
  fc.assert(
    fc.property(document, (text) => {
      expect(fill(fill(text))).toBe(fill(text));
    }),
  );
});

it('takes content as it is, also where it looks like a replacement pattern', () => {
  expect(fillBlocks('<!-- generated: a -->\n<!-- end -->', () => '$& $1')).toContain('\n$& $1\n');
});
