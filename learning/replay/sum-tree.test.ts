import { describe, expect, it } from 'vitest';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { SumTree } from './sum-tree.ts';

describe('a sum tree', () => {
  it.each([1, 2, 7, 64, 100])('of %i numbers finds what a walk along them finds', (count) => {
    const random = new RandomStream(keyFrom(count));
    const values = Array.from({ length: count }, () => random.nextInteger(4));
    values[count - 1] = 2;
    const tree = new SumTree(count);
    values.forEach((value, index) => tree.set(index, value));
    expect(tree.total).toBe(values.reduce((sum, value) => sum + value));
    for (let mass = 0; mass < tree.total; mass += 0.5) {
      let [index, before] = [0, 0];
      while (before + values[index]! <= mass) before += values[index++]!;
      expect(tree.find(mass)).toBe(index);
    }
    expect(values[tree.find(tree.total)]).toBeGreaterThan(0);
  });

  it('has the same sums whatever was written before', () => {
    const random = new RandomStream(keyFrom(9));
    const [first, second] = [new SumTree(33), new SumTree(33)];
    for (let write = 0; write < 500; write += 1) first.set(random.nextInteger(33), random.nextUniform());
    for (let index = 0; index < 33; index += 1) second.set(index, first.at(index));
    expect(second.total).toBe(first.total);
    const third = new SumTree(33);
    third.set(32, 7);
    third.fill(Array.from({ length: 32 }, (_, index) => first.at(index)));
    first.set(32, 0);
    expect(third.total).toBe(first.total);
    for (const mass of [0, 0.3, 0.9]) expect(third.find(mass * third.total)).toBe(first.find(mass * first.total));
  });
});
