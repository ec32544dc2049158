import type { MinedFailure, RunLineage } from '../../infra/postgres/lineage-rows.ts';
import type { ImportedPart } from '../../infra/postgres/used-import-rows.ts';
import { failureName } from '../../learning/failures/contract.ts';
import type { PanelName } from '../../schemas/resolved-experiment.ts';
import { simulatorLives, type SimulatorLife } from '../../web/documents/simulator-lives.ts';

/** Where simulators of a run come from, as a forest: who was made of whom. */
export type LineageNode = (
  | { readonly kind: 'simulator'; readonly life: SimulatorLife }
  /** A failure of the validation simulator above it. */
  | { readonly kind: 'failure'; readonly id: string; readonly failure: MinedFailure | undefined }
  /** Something others were made of that was never in the pool itself; null for what is on no panel. */
  | { readonly kind: 'outsider'; readonly name: string; readonly panel: PanelName | null }
  /** What was imported from elsewhere and is part of what stands below. */
  | { readonly kind: 'import'; readonly parts: readonly ImportedPart[] }
) & { readonly children: readonly LineageNode[] };

type Growing = LineageNode & { readonly children: LineageNode[] };

const PANEL_ORDER: readonly (PanelName | null)[] = ['train', null, 'validation', 'test'];

/**
 * The lineage of a run. Under a failure stands what was made of the failing simulator; what was made of a simulator that
 * goes back to a failure stands under that simulator.
 */
export function lineageForest(lineage: RunLineage): LineageNode[] {
  return forestOf(lineage, simulatorLives(lineage));
}

/** The same with some of the simulators only. */
export function forestOf(lineage: RunLineage, lives: readonly SimulatorLife[]): LineageNode[] {
  const nodes = new Map<SimulatorLife, Growing>(lives.map((life) => [life, { kind: 'simulator', life, children: [] }]));
  const parentOf = parentFinder(lineage, lives);
  const others = new OtherRoots(lineage);
  const roots: LineageNode[] = [];
  for (const [life, node] of nodes) {
    const parent = parentOf(life);
    if (parent !== null) nodes.get(parent)!.children.push(node);
    else if (life.failure !== null) others.failure(life.failure, life.parents[0]).children.push(node);
    else if (life.parents.length > 0) others.outsider(life.parents[0]!).children.push(node);
    else roots.push(node);
  }
  const ranked = [...roots, ...others.roots()].sort((a, b) => rankOf(a, lineage) - rankOf(b, lineage));
  return underImports(ranked, lineage);
}

/** Roots that contain something imported stand below it, those with the same below the same. */
function underImports(roots: readonly LineageNode[], lineage: RunLineage): LineageNode[] {
  const imports = new Map<string, Growing>();
  return roots.flatMap((root) => {
    const parts = lineage.imports?.get(hashOf(root, lineage) ?? '') ?? [];
    if (parts.length === 0) return [root];
    const key = parts.map(({ reference }) => reference).join(' ');
    const known = imports.get(key);
    known?.children.push(root);
    if (known !== undefined) return [];
    const node: Growing = { kind: 'import', parts, children: [root] };
    imports.set(key, node);
    return [node];
  });
}

function hashOf(node: LineageNode, { panels }: RunLineage): string | undefined {
  if (node.kind === 'simulator') return node.life.hash;
  return node.kind === 'outsider' ? panels.find(({ name }) => name === node.name)?.simulatorHash : undefined;
}

/**
 * Finds the simulator of the run that another was made of: null where it was made of something else, or of nothing. What
 * came later is no parent, whatever its name, so nobody is their own ancestor.
 */
export function parentFinder(
  lineage: RunLineage,
  lives: readonly SimulatorLife[],
): (life: SimulatorLife) => SimulatorLife | null {
  const failing = new Map(lineage.failures.map((failure) => [idOf(failure), failure.name]));
  const order = lives.toSorted((a, b) => firstRound(a) - firstRound(b));
  const places = new Map(order.map((life, place) => [life, place]));
  const named = new Map<string, SimulatorLife[]>();
  for (const life of order) named.set(life.name, [...(named.get(life.name) ?? []), life]);
  return (life) => {
    const failed = life.failure === null ? undefined : failing.get(life.failure);
    if (failed !== undefined && life.parents.includes(failed)) return null;
    const isEarlier = (each: SimulatorLife) => each.parents.length === 0 || places.get(each)! < places.get(life)!;
    const found = life.parents.map((name) => named.get(name)?.findLast(isEarlier));
    return found.find((parent) => parent !== undefined) ?? null;
  };
}

function firstRound({ stays, judged }: SimulatorLife): number {
  return Math.min(stays[0]?.entered ?? Infinity, judged?.round ?? Infinity);
}

const idOf = ({ round, position }: MinedFailure): string => failureName(round, position);

/** What simulators were made of that are none of the run's own. */
class OtherRoots {
  readonly #lineage: RunLineage;
  readonly #outsiders = new Map<string, Growing>();
  readonly #failures = new Map<string, Growing>();

  constructor(lineage: RunLineage) {
    this.#lineage = lineage;
  }

  outsider(name: string): Growing {
    const known = this.#outsiders.get(name);
    if (known !== undefined) return known;
    const node: Growing = { kind: 'outsider', name, panel: panelOf(this.#lineage, name), children: [] };
    this.#outsiders.set(name, node);
    return node;
  }

  /** @param parent the failing simulator, if the failure itself is not known */
  failure(id: string, parent: string | undefined): Growing {
    const known = this.#failures.get(id);
    if (known !== undefined) return known;
    const failure = this.#lineage.failures.find((each) => idOf(each) === id);
    const node: Growing = { kind: 'failure', id, failure, children: [] };
    this.#failures.set(id, node);
    this.outsider(failure?.name ?? parent ?? 'validation').children.push(node);
    return node;
  }

  roots(): Growing[] {
    return [...this.#outsiders.values()];
  }
}

function panelOf({ panels }: RunLineage, name: string): PanelName | null {
  return panels.find((each) => each.name === name)?.panel ?? null;
}

/** Roots stand by panel, and within one as they come. */
function rankOf(node: LineageNode, lineage: RunLineage): number {
  if (node.kind === 'failure' || node.kind === 'import') return PANEL_ORDER.length;
  return PANEL_ORDER.indexOf(panelOf(lineage, node.kind === 'simulator' ? node.life.name : node.name));
}
