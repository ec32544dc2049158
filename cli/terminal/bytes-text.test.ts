import { expect, it } from 'vitest';
import { bytesText } from './bytes-text.ts';

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1536, '1.5 KiB'],
  [250 * 1024 ** 2, '250 MiB'],
  [3 * 1024 ** 5, '3072 TiB'],
])('%d bytes are shown as %s', (bytes, text) => expect(bytesText(bytes)).toBe(text));
