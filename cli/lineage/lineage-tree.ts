/** One line of a drawn tree. */
export interface TreeLine<Node> {
  /** What stands before the node: `│  ├─ `; empty for roots. */
  readonly branch: string;
  readonly node: Node;
}

/**
 * A forest as lines, parents before their children, children in the order in which they come.
 * @param childrenOf finite: no node is below itself
 */
export function treeLines<Node>(roots: readonly Node[], childrenOf: (node: Node) => readonly Node[]): TreeLine<Node>[] {
  return roots.flatMap((node) => [{ branch: '', node }, ...linesBelow(node, childrenOf, '')]);
}

/** @param trunk what stands below the node: bars of the generations before whose children go on */
function linesBelow<Node>(parent: Node, childrenOf: (node: Node) => readonly Node[], trunk: string): TreeLine<Node>[] {
  const children = childrenOf(parent);
  return children.flatMap((node, index) => {
    const isLast = index === children.length - 1;
    return [
      { branch: `${trunk}${isLast ? '└─ ' : '├─ '}`, node },
      ...linesBelow(node, childrenOf, `${trunk}${isLast ? '   ' : '│  '}`),
    ];
  });
}
