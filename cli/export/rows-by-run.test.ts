import { describe, expect, it } from 'vitest';
import { RowsByRun } from './rows-by-run.ts';

const rows = [
  { variant: 'a', seed: 0, round: 1 },
  { variant: 'a', seed: 0, round: 2 },
  { variant: 'b', seed: 0, round: 1 },
];

async function* paged(size: number) {
  for (let first = 0; first < rows.length; first += size) yield rows.slice(first, first + size);
}

describe('rows that come run by run', () => {
  it.each([1, 2, 3])('are taken out run by run, wherever a page of %i ends', async (size) => {
    const stream = new RowsByRun(paged(size));
    expect(await stream.take('a', 0)).toEqual(rows.slice(0, 2));
    expect(await stream.take('a', 1)).toEqual([]);
    await expect(stream.expectEnd('them')).rejects.toThrow('out of order: b/0');
    expect(await stream.take('b', 0)).toEqual(rows.slice(2));
    await expect(stream.expectEnd('them')).resolves.toBeUndefined();
  });
});
