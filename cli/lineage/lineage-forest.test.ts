import { describe, expect, it } from 'vitest';
import { candidateAt, failureAt, madeUpLineage, memberAt } from '../../test/support/made-up-lineage.ts';
import { lineageForest, type LineageNode } from './lineage-forest.ts';

/** Every node by its name, under that of its parent. */
function shapeOf(nodes: readonly LineageNode[]): Record<string, object> {
  const nameOf = (node: LineageNode): string => {
    if (node.kind === 'import') return node.parts.map(({ reference }) => reference).join(' ');
    return node.kind === 'simulator'
      ? node.life.name
      : node.kind === 'failure'
        ? `failure ${node.id}`
        : `(${node.name})`;
  };
  return Object.fromEntries(nodes.map((node) => [nameOf(node), shapeOf(node.children)]));
}

const shape = (...args: Parameters<typeof madeUpLineage>) => shapeOf(lineageForest(madeUpLineage(...args)));

describe('the lineage of a run', () => {
  it('has children under their parents and the train panel at the top', () => {
    const pools = [
      memberAt(0, 'zero'),
      memberAt(0, 'zero~1', { parents: ['zero'] }),
      memberAt(4, 'zero~e1', { parents: ['zero~1'] }),
    ];
    expect(shape({ pools })).toEqual({ zero: { 'zero~1': { 'zero~e1': {} } } });
  });

  it('shows what was made of a failing simulator under the failure, and its children under it', () => {
    const pools = [
      memberAt(0, 'zero'),
      memberAt(4, 'top~1', { parents: ['top'], failure: '4.2' }),
      memberAt(8, 'top~2', { parents: ['top~1'], failure: '4.2' }),
    ];
    expect(shape({ pools, failures: [failureAt(4, 0), failureAt(4, 1)] })).toEqual({
      zero: {},
      '(top)': { 'failure 4.2': { 'top~1': { 'top~2': {} } } },
    });
  });

  it('names what something was made of though it never was in the pool, and how far its panel is known', () => {
    const pools = [
      memberAt(0, 'zero+round_0004', { parents: ['zero'] }),
      memberAt(4, 'wall~1', { parents: ['wall'] }),
      memberAt(4, 'top~1', { parents: ['top'] }),
    ];
    const roots = lineageForest(madeUpLineage({ pools }));
    expect(roots.map((root) => root.kind === 'outsider' && [root.name, root.panel])).toEqual([
      ['zero', 'train'],
      ['wall', null],
      ['top', 'validation'],
    ]);
  });

  it('has what was imported above all roots that contain the same of it, and not above their children', () => {
    const part = { reference: 'import:tags/3', source: 'elsewhere', licence: 'CC0-1.0' };
    const pools = [
      memberAt(0, 'one'),
      memberAt(0, 'two'),
      memberAt(0, 'plain'),
      memberAt(4, 'one~1', { parents: ['one'] }),
      memberAt(4, 'top~1', { parents: ['top'] }),
    ];
    const imports = new Map(['one', 'one~1', 'two', 'top'].map((name) => [name, [part]]));
    expect(shape({ pools, imports })).toEqual({
      'import:tags/3': { one: { 'one~1': {} }, two: {}, '(top)': { 'top~1': {} } },
      plain: {},
    });
  });

  it('goes back to a failure of which nothing is stored any more', () => {
    const pools = [memberAt(4, 'top~1', { parents: ['top'], failure: '4.1' })];
    expect(shape({ pools })).toEqual({ '(top)': { 'failure 4.1': { 'top~1': {} } } });
  });

  it('makes nobody their own ancestor, whatever names say', () => {
    const pools = [
      memberAt(0, 'a', { parents: ['b'] }),
      memberAt(4, 'b', { parents: ['a'] }),
      memberAt(8, 'c', { parents: ['c'] }),
    ];
    expect(shape({ pools })).toEqual({ '(b)': { a: { b: {} } }, '(c)': { c: {} } });
  });

  it('has every simulator once, and refused candidates among the others', () => {
    const pools = [memberAt(0, 'zero'), memberAt(4, 'both', { parents: ['zero', 'zero~1'] })];
    const candidates = [candidateAt(4, 'zero~1', { refusal: 'too easy' }), candidateAt(4, 'both')];
    expect(shape({ pools, candidates })).toEqual({ zero: { both: {}, 'zero~1': {} } });
  });
});
