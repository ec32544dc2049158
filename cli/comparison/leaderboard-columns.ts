import type { Board, BoardEntry, BoardKey } from '../../learning/results/leaderboard.ts';
import type { Column } from '../../learning/results/column.ts';
import { pluralText } from '../../web/documents/quantity-text.ts';
import { estimateColumns, halfWidth } from './estimate-columns.ts';

/** Where the runs of an entry are from: this database, or the studies of the repository. */
export type Source = 'stored' | 'baseline';

/** An entry with where it comes from. */
export interface SourcedEntry extends BoardEntry {
  readonly source: Source;
}

/** A board whose entries say where they come from. */
export type SourcedBoard = BoardKey & { readonly entries: readonly SourcedEntry[] };

/** An entry in its place on its board. */
export interface BoardLine extends SourcedEntry {
  readonly board: BoardKey;
  readonly rank: number;
}

export function sourced(boards: readonly Board[], source: Source): SourcedBoard[] {
  return boards.map((board) => ({ ...board, entries: board.entries.map((entry) => ({ ...entry, source })) }));
}

export function boardLines(board: SourcedBoard): BoardLine[] {
  return board.entries.map((entry, index) => ({ ...entry, board, rank: index + 1 }));
}

/** What is the same for all of a board, in words. */
export function boardTitle({ family, familyVersion, panelHash, panelSize, learners }: BoardKey): string {
  const seats = learners.length === 1 ? `seat ${learners[0]} learns` : `seats ${learners.join(', ')} learn`;
  return `${family} ${familyVersion}, test panel ${shortHash(panelHash)} (${pluralText(panelSize, 'simulator')}), ${seats}`;
}

/** As much of a panel's hash as people are shown. */
export function shortHash(hash: string): string {
  return hash.slice(0, 12);
}

const MEASURE = { kind: 'measure', align: 'right' } as const;
const COUNT = { kind: 'count', align: 'right' } as const;

/** The columns of one board. */
export const BOARD_COLUMNS: readonly Column<BoardLine>[] = [
  { key: 'rank', title: '#', ...COUNT, value: ({ rank }) => rank },
  { key: 'variant', value: ({ names }) => names.join(', '), text: ({ names }) => namesText(names) },
  { key: 'source', value: ({ source }) => source },
  { key: 'n', ...COUNT, value: ({ n }) => n },
  ...estimateColumns<BoardLine>({
    key: 'heldout_return',
    title: 'test return',
    value: ({ heldoutReturn }) => heldoutReturn,
    ends: ({ interval }) => interval,
  }),
  {
    key: 'worst_heldout',
    title: 'worst',
    ...MEASURE,
    spread: ({ interval }) => halfWidth(interval),
    value: ({ worstHeldout }) => worstHeldout,
  },
  ...estimateColumns<BoardLine>({
    key: 'relative_gap',
    title: 'relative gap',
    value: ({ relativeGap }) => relativeGap,
    ends: ({ relativeGapInterval }) => relativeGapInterval,
  }),
  { key: 'env_steps', title: 'env steps', ...COUNT, value: ({ envSteps }) => envSteps },
];

function namesText([first, ...others]: readonly string[]): string {
  return others.length === 0 ? first! : `${first!} and ${pluralText(others.length, 'other name')}`;
}

/** The columns of several boards in one list. */
export const ALL_BOARDS_COLUMNS: readonly Column<BoardLine>[] = [
  { key: 'family', value: ({ board }) => board.family },
  { key: 'family_version', value: ({ board }) => board.familyVersion },
  { key: 'panel', value: ({ board }) => board.panelHash },
  { key: 'panel_simulators', ...COUNT, value: ({ board }) => board.panelSize },
  { key: 'learners', value: ({ board }) => board.learners.join(' ') },
  ...BOARD_COLUMNS,
];
