import { describe, expect, it } from 'vitest';
import { lifeText, lineageTree, type LineageNode, type ShownSimulator } from './lineage-tree.ts';

const simulator = (name: string, parents: string[] = [], change: Partial<ShownSimulator> = {}): ShownSimulator => ({
  ...{ name, hash: name, parents, failure: null, reason: 'made up', stays: [{ entered: 0, left: null }] },
  ...{ exit_reason: null, score: null, refusal: null, contribution: null },
  ...{ episodes: 0, first_return: null, last_return: null },
  ...change,
});

/** Names in brackets after what they were made from. */
const written = (nodes: readonly LineageNode[]): string =>
  nodes.map(({ name, children }) => (children.length === 0 ? name : `${name}(${written(children)})`)).join(' ');

describe('the lineage of a run', () => {
  it('has simulators under what they were made from', () => {
    const made = [simulator('zero'), simulator('zero~1', ['zero']), simulator('zero~2', ['zero~1']), simulator('left')];
    expect(written(lineageTree(made))).toBe('zero(zero~1(zero~2)) left');
  });

  it('has a root for what others were made from that was never in the pool', () => {
    const made = [simulator('top~1', ['top']), simulator('zero'), simulator('top~2', ['top'])];
    const tree = lineageTree(made);
    expect(written(tree)).toBe('zero top(top~1 top~2)');
    expect(tree.at(-1)!.simulator).toBeNull();
  });

  it('leaves out who never entered', () => {
    expect(written(lineageTree([simulator('zero'), simulator('zero~1', ['zero'], { stays: [] })]))).toBe('zero');
  });

  it('never makes anybody their own ancestor, whatever their name', () => {
    const made = [simulator('zero', ['zero']), simulator('zero', ['zero'], { hash: 'another' })];
    expect(written(lineageTree(made))).toBe('zero(zero(zero))');
  });

  it('counts rounds from the first that trained on it to the last', () => {
    const stays = [
      { entered: 0, left: 10 },
      { entered: 20, left: null },
    ];
    expect(lifeText({ stays })).toBe('1–10, 21–');
    expect(lifeText({ stays: [] })).toBe('–');
  });
});
