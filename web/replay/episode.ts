import type { SeatGroup } from '../../simulators/contract.ts';
import type { Drawing, View } from '../../simulators/drawing.ts';

// K frames, N seats.

/** The start of an episode, or what came of a step. */
export interface Frame {
  readonly drawing: Drawing;
  /** Shape [N]; null at the start. */
  readonly rewards: readonly number[] | null;
}

/** Whoever acts on a seat. */
export interface Driver {
  readonly name: string;
  /** Whether it is scripted within the simulator, rather than what somebody wants to look at. */
  readonly isScripted: boolean;
}

/** An episode to look at. */
export interface Episode {
  readonly title: string;
  readonly subtitle: string;
  /** How to read the picture. */
  readonly caption: string;
  /** What the last frame says. */
  readonly ending: string;
  readonly view: View;
  readonly groups: readonly Pick<SeatGroup, 'role' | 'seats'>[];
  /** Whether the return is the sum over all seats; otherwise each group has its mean. */
  readonly cooperative: boolean;
  /** Shape [N]. */
  readonly drivers: readonly Driver[];
  /** Shape [K], K ≥ 1. */
  readonly frames: readonly Frame[];
  /** A frame to look at, and what is special about it; absent where none is. */
  readonly mark?: { readonly frame: number; readonly text: string };
}

/** Numbers that grow over an episode, with the seats they belong to. */
export interface ReturnSeries {
  readonly name: string;
  readonly seats: readonly number[];
  /** Shape [K]. */
  readonly values: readonly number[];
}

/** Shape [N][K]: the rewards of every seat so far. */
export function returnsBySeat({ drivers, frames }: Episode): number[][] {
  return drivers.map((_, seat) => {
    let sum = 0;
    return frames.map(({ rewards }) => (sum += rewards?.[seat] ?? 0));
  });
}

/** The returns so far that tell how the episode goes: of the team, or of each group. */
export function returnSeries(episode: Episode): ReturnSeries[] {
  const bySeat = returnsBySeat(episode);
  const sumOf = (seats: readonly number[]) =>
    episode.frames.map((_, frame) => seats.reduce((sum, seat) => sum + bySeat[seat]![frame]!, 0));
  if (episode.cooperative) {
    const seats = episode.drivers.map((_, seat) => seat);
    return [{ name: 'return so far', seats, values: sumOf(seats) }];
  }
  return episode.groups.map(({ role, seats }) => ({
    name: `return so far, ${role}`,
    seats,
    values: sumOf(seats).map((sum) => sum / seats.length),
  }));
}
