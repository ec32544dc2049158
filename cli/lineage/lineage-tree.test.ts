import { describe, expect, it } from 'vitest';
import { keyFrom, PURPOSE, RandomStream } from '../../simulators/random.ts';
import { treeLines } from './lineage-tree.ts';

interface Named {
  readonly name: string;
  readonly children: readonly Named[];
}

const node = (name: string, ...children: Named[]): Named => ({ name, children });

const draw = (roots: readonly Named[]): string[] =>
  treeLines(roots, ({ children }) => children).map(({ branch, node: { name } }) => branch + name);

describe('a tree as lines', () => {
  it('has bars where a generation goes on and none below its last member', () => {
    const drawn = draw([node('a', node('b', node('c'), node('d')), node('e', node('f'))), node('g')]);
    expect(drawn).toEqual(['a', '├─ b', '│  ├─ c', '│  └─ d', '└─ e', '   └─ f', 'g']);
  });

  it('is nothing for nobody', () => {
    expect(draw([])).toEqual([]);
  });

  it('tells every node once, and by its indentation whose child it is', () => {
    const random = new RandomStream(keyFrom(7, PURPOSE.strategy));
    for (let trial = 0; trial < 50; trial += 1) {
      const parents = Array.from(
        { length: 1 + random.nextInteger(30) },
        (_, index) => random.nextInteger(index + 1) - 1,
      );
      const childrenOf = (parent: number) => parents.flatMap((each, index) => (each === parent ? [index] : []));
      const lines = treeLines(childrenOf(-1), childrenOf);
      expect(lines.map((line) => line.node).toSorted((a, b) => a - b)).toEqual(parents.map((_, index) => index));
      const ancestry: number[] = [];
      for (const { branch, node: child } of lines) {
        const depth = branch.length / 3;
        expect(ancestry[depth - 1] ?? -1).toBe(parents[child]);
        ancestry.splice(depth, Infinity, child);
      }
    }
  });
});
