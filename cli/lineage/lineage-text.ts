import type { Column } from '../../learning/results/column.ts';
import type { ImportedPart } from '../../infra/postgres/used-import-rows.ts';
import type { MinedFailure, RunLineage, Taught } from '../../infra/postgres/lineage-rows.ts';
import { shortHash } from './lineage-columns.ts';
import { forestOf, lineageForest, type LineageNode } from './lineage-forest.ts';
import { treeLines, type TreeLine } from './lineage-tree.ts';
import { listingText } from '../table-formats/listing.ts';
import { countText, measureText, pluralText } from '../../web/documents/quantity-text.ts';
import { simulatorLives, type SimulatorLife, type Stay } from '../../web/documents/simulator-lives.ts';
import type { TestDistance } from './test-distances.ts';
import { visibleCell } from '../terminal/visible-text.ts';

/** How far simulators are from the test panel, by hash; null unless asked for. */
export type NearestTests = ReadonlyMap<string, TestDistance> | null;

/** How much went on in the pools of a run. */
interface LineageSummary {
  readonly runId: string;
  readonly variant: string;
  readonly seed: number;
  readonly entered: number;
  readonly left: number;
  /** Of those that entered: how many go back to a mined failure. */
  readonly fromFailures: number;
  /** The longest line of simulators, each made of the one before; 0 when none was made of another. */
  readonly generations: number;
  /** The smallest distance of those that entered to the test panel; null unless asked for. */
  readonly nearest: TestDistance | null;
}

function lineageSummary(lineage: RunLineage, nearest: NearestTests): LineageSummary {
  const { runId, variant, seed } = lineage;
  const lives = simulatorLives(lineage).filter(({ stays }) => stays.length > 0);
  const distances = lives.flatMap(({ hash }) => nearest?.get(hash) ?? []);
  return {
    ...{ runId, variant, seed },
    entered: lives.length,
    left: lives.filter(({ stays }) => stays.at(-1)!.left !== null).length,
    fromFailures: lives.filter(({ failure }) => failure !== null).length,
    generations: Math.max(...forestOf(lineage, lives).map(generationsOf)),
    nearest: distances.sort((a, b) => a.distance - b.distance)[0] ?? null,
  };
}

/** Generations below the first; a failure is no generation of its own. */
function generationsOf({ children }: LineageNode): number {
  return Math.max(0, ...children.map((child) => generationsOf(child) + (child.kind === 'failure' ? 0 : 1)));
}

const SUMMARY_COLUMNS: readonly Column<LineageSummary>[] = [
  { key: 'variant', value: ({ variant }) => variant },
  { key: 'seed', align: 'right', value: ({ seed }) => seed },
  { key: 'simulators entered', align: 'right', value: ({ entered }) => entered },
  { key: 'left', align: 'right', value: ({ left }) => left },
  { key: 'from failures', align: 'right', value: ({ fromFailures }) => fromFailures },
  { key: 'generations', align: 'right', value: ({ generations }) => generations },
];

const NEAREST_COLUMN: Column<LineageSummary> = {
  key: 'nearest test',
  align: 'right',
  value: ({ nearest }) => nearestText(nearest ?? undefined),
};

/** A line for every run, and how to see one of them whole. */
export function summaryText(lineages: readonly RunLineage[], nearest: readonly NearestTests[]): string {
  const rows = lineages.map((lineage, index) => lineageSummary(lineage, nearest[index]!));
  const hasDistances = nearest.some((each) => each !== null);
  const mostDeep = rows.reduce((best, row) => (row.generations > best.generations ? row : best));
  return [
    listingText([...SUMMARY_COLUMNS, ...(hasDistances ? [NEAREST_COLUMN] : [])], rows, 'table'),
    '',
    `One as a tree: thaw simulators ${mostDeep.runId}`,
  ].join('\n');
}

/** The lineage of a run as a tree, with what each simulator taught and why it came and went. */
export function lineageText(lineage: RunLineage, nearest: NearestTests): string {
  const { runId, left, entered, fromFailures, generations } = lineageSummary(lineage, nearest);
  const lines = treeLines(lineageForest(lineage), ({ children }) => children);
  return [
    `${runId}  ${pluralText(entered, 'simulator')} entered, ${left} left, ${fromFailures} made from failures, ` +
      `${pluralText(generations, 'generation')} deep`,
    '',
    linesText(lines, nearest),
    '',
    `Why one of them is there: thaw simulators ${runId} NAME`,
  ].join('\n');
}

export function linesText(lines: readonly TreeLine<LineageNode>[], nearest: NearestTests): string {
  return listingText(treeColumns(nearest), lines, 'table');
}

type Line = TreeLine<LineageNode>;

function treeColumns(nearest: NearestTests): Column<Line>[] {
  const ofLife = (key: string, text: (life: SimulatorLife) => string): Column<Line> => ({
    key,
    align: 'right',
    value: ({ node }) => (node.kind === 'simulator' ? text(node.life) : ''),
  });
  const distance = ofLife('nearest test', ({ hash }) => nearestText(nearest?.get(hash)));
  return [
    { key: 'simulator', value: ({ branch, node }) => branch + nodeName(node) },
    { ...ofLife('hash', ({ hash }) => shortHash(hash)), align: 'left' },
    { ...ofLife('rounds', staysText), align: 'left' },
    ofLife('weight', ({ weight }) => measureText(weight)),
    ofLife('episodes', ({ taught }) => (taught === null ? '–' : countText(taught.episodes))),
    ofLife('return', ({ taught }) => taughtText(taught)),
    ofLife('contribution', ({ contribution }) => measureText(contribution)),
    ...(nearest === null ? [] : [distance]),
    { key: 'why', value: ({ node }) => nodeReason(node) },
  ];
}

function nodeName(node: LineageNode): string {
  if (node.kind === 'simulator') return node.life.name;
  if (node.kind === 'import') return node.parts.map(({ reference }) => reference).join(' ');
  return node.kind === 'failure' ? `failure ${node.id}` : node.name;
}

function nodeReason(node: LineageNode): string {
  if (node.kind === 'simulator') return reasonText(node.life);
  if (node.kind === 'import') return importText(node.parts);
  if (node.kind === 'failure') return node.failure === undefined ? 'no longer known' : failureText(node.failure);
  return node.panel === null ? 'not in the pool itself' : `${node.panel} panel, not in the pool itself`;
}

/** Where something imported comes from; said once where several parts come from one place. */
function importText(parts: readonly ImportedPart[]): string {
  const origins = new Set(parts.map(({ source, licence }) => `${visibleCell(source)} (${visibleCell(licence)})`));
  return `imported from ${[...origins].join(', ')}`;
}

/** What is said of a failure in one line. */
function failureText({ round, keyMoment, group, ...failure }: MinedFailure): string {
  const [got, score] = [failure.return, failure.score].map(measureText);
  const turned = keyMoment === null ? '' : `, turned at step ${keyMoment}`;
  return `mined in round ${round}: return ${got!}, score ${score!}${turned}, group ${group}`;
}

function reasonText(life: SimulatorLife): string {
  const { parents, failure, reason, stays, judged } = life;
  const others = parents.length > 1 ? ` (also of ${parents.slice(1).join(', ')})` : '';
  const source = failure === null ? '' : ` [failure ${failure}]`;
  const refusal =
    stays.length === 0 && judged !== null ? `; refused in round ${judged.round}: ${refusalText(life)}` : '';
  return `${reason}${others}${source}${exitText(life)}${refusal}`;
}

/** Why it left the pool, as the end of a sentence; nothing while it is there. */
export function exitText({ stays, exit }: SimulatorLife): string {
  const left = stays.at(-1)?.left ?? null;
  return left === null ? '' : `; left after round ${left}${exit === null ? '' : `: ${exit.reason}`}`;
}

/** Why a candidate did not enter, with the numbers it was judged by. */
function refusalText({ judged }: SimulatorLife): string {
  return `${judged!.refusal ?? 'not in the pool'} (${judgedText(judged!)})`;
}

/** The numbers that a candidate was judged by. */
export function judgedText(judged: NonNullable<SimulatorLife['judged']>): string {
  const { score, novelty, probeEpisodes, probeReturn } = judged;
  const number = (value: number) => (Number.isNaN(value) ? 'not measured' : measureText(value));
  const probes =
    probeEpisodes === 0 ? '' : `, return ${measureText(probeReturn)} in ${pluralText(probeEpisodes, 'probe episode')}`;
  return `score ${number(score)}, novelty ${number(novelty)}${probes}`;
}

/** Rounds that trained on it: `1–10, 21–`. */
export function staysText({ stays }: Pick<SimulatorLife, 'stays'>): string {
  return stays.length === 0 ? '–' : stays.map(stayText).join(', ');
}

function stayText({ entered, left }: Stay): string {
  return `${entered + 1}–${left ?? ''}`;
}

/** Mean return of its training episodes, from the first round with any to the last. */
export function taughtText(taught: Taught | null): string {
  return taught === null ? '–' : `${measureText(taught.firstReturn)} → ${measureText(taught.lastReturn)}`;
}

function nearestText(nearest: TestDistance | undefined): string {
  return nearest === undefined ? '–' : `${measureText(nearest.distance)} ${nearest.test}`;
}
