import type { Interval } from '../statistics/bootstrap.ts';
import { mean } from '../statistics/moments.ts';
import { pooledRelativeGap, type Gains } from '../statistics/relative-gap.ts';
import { scoreInterval } from '../statistics/score-interval.ts';
import { gapInterval } from './gap-interval.ts';
import { groupRows } from './result-summary.ts';

/** What must be equal for returns on a test panel to be of one kind. */
export interface BoardKey {
  readonly family: string;
  readonly familyVersion: string;
  /** Of the simulators of the test panel by content, see `testPanelHash`. */
  readonly panelHash: string;
  /** How many simulators the panel has. */
  readonly panelSize: number;
  /** Seats that learn, ascending. */
  readonly learners: readonly number[];
}

/** A run that was measured on a test panel. What is not measured is null. */
export interface LeaderboardRun extends BoardKey {
  /** `EXPERIMENT/VARIANT` */
  readonly name: string;
  /** Identity of the variant: equal ones of several experiments are one, whatever they are called. */
  readonly variantHash: string;
  readonly seed: number;
  readonly heldoutReturn: number | null;
  readonly worstHeldout: number | null;
  readonly trainGain: number | null;
  readonly heldoutGain: number | null;
  /** NaN where the run learnt nothing. */
  readonly relativeGap: number | null;
  /** Training, scoring and mining together. */
  readonly envSteps: number | null;
}

/** A variant on a board, over its seeds. */
export interface BoardEntry {
  /** Every name it has, the first seen first. */
  readonly names: readonly string[];
  readonly variantHash: string;
  /** Seeds with a test return. */
  readonly n: number;
  /** Mean test return; NaN where that of some run is. */
  readonly heldoutReturn: number;
  /** 95 %, over the seeds; null below five, both ends NaN where the return of some run is. */
  readonly interval: Interval | null;
  /** Mean over the runs of the return on the simulator that is worst for each; null where none has one. */
  readonly worstHeldout: number | null;
  /** Of all runs together; NaN where none of them learnt anything, null where that was not measured. */
  readonly relativeGap: number | null;
  readonly relativeGapInterval: Interval | null;
  readonly envSteps: number | null;
}

/** All variants that were measured on one test panel, the highest mean return first; NaN comes last. */
export interface Board extends BoardKey {
  readonly entries: readonly BoardEntry[];
}

/** Ranks runs by test panel. A run without a test return, and one that is there already under its identity, count for nothing. */
export function leaderboard(runs: readonly LeaderboardRun[]): Board[] {
  const boards = groupRows(
    runs.filter(({ heldoutReturn }) => heldoutReturn !== null),
    boardId,
  );
  return [...boards.values()].map((group) => ({ ...boardKey(group[0]!), entries: ranked(entriesOf(group)) }));
}

/** Names a board. */
export function boardId({ family, familyVersion, panelHash, learners }: BoardKey): string {
  return `${family} ${familyVersion} ${panelHash} ${learners.join(',')}`;
}

/** The same board where both have it, so that stored variants stand beside baselines. @returns those of the first, first */
export function joinBoards<Entry extends BoardEntry>(
  first: readonly (BoardKey & { readonly entries: readonly Entry[] })[],
  second: readonly (BoardKey & { readonly entries: readonly Entry[] })[],
): (BoardKey & { readonly entries: readonly Entry[] })[] {
  const groups = groupRows([...first, ...second], boardId);
  return [...groups.values()].map((boards) => ({
    ...boards[0]!,
    entries: ranked(boards.flatMap(({ entries }) => entries)),
  }));
}

function boardKey({ family, familyVersion, panelHash, panelSize, learners }: BoardKey): BoardKey {
  return { family, familyVersion, panelHash, panelSize, learners };
}

function entriesOf(runs: readonly LeaderboardRun[]): BoardEntry[] {
  return [...groupRows(runs, ({ variantHash }) => variantHash)].map(([variantHash, group]) => {
    const distinct = [...groupRows(group, ({ seed }) => seed).values()].map(([run]) => run!);
    // In the order of the seeds: no sum and no resample may depend on which run was read first.
    const ordered = distinct.sort((a, b) => a.seed - b.seed);
    return { names: [...new Set(group.map(({ name }) => name))], variantHash, ...scoresOf(ordered) };
  });
}

function scoresOf(runs: readonly LeaderboardRun[]): Omit<BoardEntry, 'names' | 'variantHash'> {
  const returns = known(runs, ({ heldoutReturn }) => heldoutReturn);
  const gains = runs.flatMap(({ trainGain, heldoutGain }) =>
    trainGain === null || heldoutGain === null ? [] : [{ train: trainGain, heldout: heldoutGain }],
  );
  const gap = gains.length === 0 ? null : pooledGap(runs, gains);
  return {
    n: returns.length,
    heldoutReturn: mean(returns),
    interval: scoreInterval('mean', [returns]),
    worstHeldout: meanOfKnown(known(runs, ({ worstHeldout }) => worstHeldout)),
    relativeGap: gap,
    relativeGapInterval: gap === null || Number.isNaN(gap) ? null : gapInterval(gains),
    envSteps: meanOfKnown(known(runs, ({ envSteps }) => envSteps)),
  };
}

/** Where no run has learnt anything, the sums would divide noise by noise. */
function pooledGap(runs: readonly LeaderboardRun[], gains: readonly Gains[]): number {
  const isTrained = runs.some(({ relativeGap }) => relativeGap !== null && !Number.isNaN(relativeGap));
  return isTrained ? pooledRelativeGap(gains) : NaN;
}

function known<Run>(runs: readonly Run[], valueOf: (run: Run) => number | null): number[] {
  return runs.map(valueOf).filter((value) => value !== null);
}

function meanOfKnown(values: readonly number[]): number | null {
  return values.length === 0 ? null : mean(values);
}

function ranked<Entry extends BoardEntry>(entries: readonly Entry[]): Entry[] {
  const order = (value: number) => (Number.isNaN(value) ? -Infinity : value);
  const isUnknown = ({ heldoutReturn }: Entry) => (Number.isNaN(heldoutReturn) ? 1 : 0);
  return [...entries].sort((a, b) => {
    const [left, right] = [order(a.heldoutReturn), order(b.heldoutReturn)];
    return isUnknown(a) - isUnknown(b) || (left === right ? 0 : right > left ? 1 : -1);
  });
}
