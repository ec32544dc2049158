import { expect, it } from 'vitest';
import { bytesFromCheckpoint } from '../checkpoint.ts';
import { bytesFromForeign, foreignFromBytes } from './foreign-checkpoint.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

it('comes back as it was, and is the same bytes in whatever order files are listed', () => {
  const policies = new Map([['agent', bytes(1, 2, 3)]]);
  const files = new Map([
    ['weights/a.npy', bytes(4)],
    ['b', bytes()],
  ]);
  const stored = bytesFromForeign({ files, policies });
  expect(foreignFromBytes(stored)).toEqual({ files, policies });
  expect(bytesFromForeign({ files: new Map([...files].reverse()), policies })).toEqual(stored);
});

it('is not taken for the checkpoint of an algorithm', () => {
  const ippo = bytesFromCheckpoint({ header: { algorithm: 'ippo' }, arrays: {} });
  expect(() => foreignFromBytes(ippo)).toThrow(/a checkpoint of ippo cannot go on in a trainer/);
});
