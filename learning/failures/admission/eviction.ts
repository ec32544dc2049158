/** An entry of the pool as an eviction sees it, in a list that has the oldest first. */
export interface EvictableEntry {
  readonly name: string;
  /** What it taught of late; NaN for one that is too young to tell. */
  readonly contribution: number;
}

interface EvictionRule {
  readonly summary: string;
  /** Why an entry goes. */
  readonly reason: string;
  /** Indices of the entries that go. @param excess how many entries there are above the size of the pool */
  readonly choose: (entries: readonly EvictableEntry[], excess: number) => readonly number[];
}

/** Named choices of what leaves the pool; a further one is a line here. */
export const EVICTIONS = {
  oldest: {
    summary: 'the oldest',
    reason: 'the oldest of the pool',
    choose: (entries, excess) => [...entries.keys()].slice(0, excess),
  },
  least_contribution: {
    summary: 'the one whose own episodes taught least of late, never one that has not been judged yet',
    reason: 'its own episodes taught least',
    choose: leastContribution,
  },
  none: {
    summary: 'nothing: the pool grows',
    reason: '',
    choose: () => [],
  },
} as const satisfies Readonly<Record<string, EvictionRule>>;

export type EvictionName = keyof typeof EVICTIONS;

/** Ties go to the oldest; where all are young, the oldest of them goes. */
function leastContribution(entries: readonly EvictableEntry[], excess: number): number[] {
  const value = (index: number): number => {
    const { contribution } = entries[index]!;
    return Number.isNaN(contribution) ? Infinity : contribution;
  };
  const order = [...entries.keys()].sort((a, b) => compare(value(a), value(b)) || a - b);
  return order.slice(0, excess).sort((a, b) => a - b);
}

/** Infinity less itself would be no number. */
function compare(one: number, other: number): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
