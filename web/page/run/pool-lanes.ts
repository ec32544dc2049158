import type { Pool } from '../../contract/simulators.ts';
import type { Decoded } from '../api/decoded.ts';

type ShownPool = Decoded<Pool>['pools'][number];
type Member = ShownPool['members'][number];

/** Rounds that trained on a simulator with one weight. */
export interface Stretch {
  /** Rounds completed when it began: the first round that trained on it is the next one. */
  readonly from: number;
  /** The last round that trained on it. */
  readonly to: number;
}

interface WeighedStretch extends Stretch {
  readonly weight: number;
}

/** A simulator in the pool of a run, round by round. */
export interface Lane {
  /** Its name may come again for another simulator: with its content it is one of its own. */
  readonly key: string;
  readonly name: string;
  readonly stretches: readonly WeighedStretch[];
  /** As it was when it entered: why, what it was made of, and which failure it goes back to. */
  readonly first: Member;
  /** The last that is known of it. */
  readonly last: Member;
  /** The last that was measured. */
  readonly contribution: number | null;
  /** Whether it is in the newest pool. */
  readonly isIn: boolean;
}

/**
 * The simulators of a run's pools in the order in which they entered.
 * @param completed rounds completed: as far as the newest pool is known to have been trained on
 */
export function poolLanes(pools: readonly ShownPool[], completed: number): Lane[] {
  const lanes = new Map<string, { lane: Lane; stretches: WeighedStretch[] }>();
  pools.forEach(({ round, members }, index) => {
    const isNewest = index === pools.length - 1;
    const to = isNewest ? Math.max(completed, round) : pools[index + 1]!.round;
    for (const member of members) {
      const key = `${member.name}\n${member.hash}`;
      const known = lanes.get(key);
      const stretches = known?.stretches ?? [];
      lengthen(stretches, { from: round, to, weight: member.weight });
      const contribution = member.contribution ?? known?.lane.contribution ?? null;
      const first = known?.lane.first ?? member;
      const lane = { key, name: member.name, stretches, first, last: member, contribution, isIn: isNewest };
      lanes.set(key, { lane, stretches });
    }
  });
  return [...lanes.values()].map(({ lane }) => lane);
}

/** What goes on with the same weight is one stretch. */
function lengthen(stretches: WeighedStretch[], next: WeighedStretch): void {
  const last = stretches.at(-1);
  if (last?.to === next.from && last.weight === next.weight) stretches[stretches.length - 1] = { ...last, to: next.to };
  else stretches.push(next);
}

/** Rounds that trained on it, stretches of other weights put together: `1–10, 21–`. */
export function staysText({ stretches, isIn }: Pick<Lane, 'stretches' | 'isIn'>): string {
  const stays: Stretch[] = [];
  for (const { from, to } of stretches) {
    const last = stays.at(-1);
    if (last?.to === from) stays[stays.length - 1] = { from: last.from, to };
    else stays.push({ from, to });
  }
  return stays.map(({ from, to }, index) => `${from + 1}–${isIn && index === stays.length - 1 ? '' : to}`).join(', ');
}

/** A lane as the outline of an area: as long as its rounds, as high as its weight. */
export function lanePath(
  { stretches }: Pick<Lane, 'stretches'>,
  { rounds, weightMax, width, height }: { rounds: number; weightMax: number; width: number; height: number },
): string {
  const x = (round: number) => short((round / Math.max(1, rounds)) * width);
  return stretches
    .map(({ from, to, weight }) => {
      // What is there has some height, however little it weighs.
      const top = short(height - Math.max(2, (weight / weightMax || 0) * height));
      return `M${x(from)} ${height}V${top}H${x(Math.max(to, from + 0.25))}V${height}Z`;
    })
    .join('');
}

const short = (value: number): number => Math.round(value * 100) / 100;
