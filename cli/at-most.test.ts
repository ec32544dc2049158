import { expect, it } from 'vitest';
import { mapAtMost } from './at-most.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

it('works on every item once, on no more than the limit at a time, and keeps their order', async () => {
  const items = Array.from({ length: 20 }, (_, index) => index);
  let underWay = 0;
  let most = 0;
  const results = await mapAtMost(3, items, async (item) => {
    underWay += 1;
    most = Math.max(most, underWay);
    for (let turns = 0; turns < (item % 4) + 1; turns += 1) await turn();
    underWay -= 1;
    return 2 * item;
  });
  expect(results).toEqual(items.map((item) => 2 * item));
  expect(most).toBe(3);
});

it('begins nothing after a failure, and awaits what is under way', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const working = mapAtMost(2, [0, 1, 2, 3], async (item) => {
    begun.push(item);
    await turn();
    if (item === 0) throw new Error('no');
    await turn();
    ended.push(item);
  });
  await expect(working).rejects.toThrow('no');
  expect([begun, ended]).toEqual([[0, 1], [1]]);
});
