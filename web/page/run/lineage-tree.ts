import type { Lineage } from '../../contract/simulators.ts';
import type { Decoded } from '../api/decoded.ts';

export type ShownSimulator = Decoded<Lineage>['simulators'][number];

/** A simulator with what was made of it; or something of another panel that simulators were made of. */
export interface LineageNode {
  readonly key: string;
  readonly name: string;
  /** Null for what was never in the pool itself, such as a validation simulator. */
  readonly simulator: ShownSimulator | null;
  readonly children: LineageNode[];
}

export const isRefused = ({ stays }: ShownSimulator): boolean => stays.length === 0;

/**
 * Simulators that entered the pool as a forest: who was made of whom. What came later is no parent, whatever its name, so
 * nobody is their own ancestor.
 * @param simulators in the order in which the run heard of them
 */
export function lineageTree(simulators: readonly ShownSimulator[]): LineageNode[] {
  const roots: LineageNode[] = [];
  const newest = new Map<string, LineageNode>();
  const outsiders = new Map<string, LineageNode>();
  const entered = simulators.filter((simulator) => !isRefused(simulator));
  // The server lists them by their first entry, so a parent stands before what was made of it.
  for (const simulator of entered) {
    const { name, hash, parents } = simulator;
    const node: LineageNode = { key: `${name}\n${hash}`, name, simulator, children: [] };
    const parent = parents.map((each) => newest.get(each)).find((each) => each !== undefined);
    if (parent !== undefined) parent.children.push(node);
    else if (parents.length > 0) outsider(parents[0]!).children.push(node);
    else roots.push(node);
    newest.set(name, node);
  }
  return [...roots, ...outsiders.values()];

  function outsider(name: string): LineageNode {
    const known = outsiders.get(name) ?? { key: `outside\n${name}`, name, simulator: null, children: [] };
    outsiders.set(name, known);
    return known;
  }
}

/** Rounds that trained on it: `1–10, 21–`. */
export function lifeText({ stays }: Pick<ShownSimulator, 'stays'>): string {
  return stays.length === 0 ? '–' : stays.map(({ entered, left }) => `${entered + 1}–${left ?? ''}`).join(', ');
}
