import type { Replay } from '../../contract/simulators.ts';
import type { Decoded } from '../api/decoded.ts';

// K frames, N seats.

export type ShownReplay = Decoded<Replay>;
export type ShownBody = ShownReplay['bodies'][number];
export type Place = readonly [x: number, y: number];

/** How an episode goes, frame by frame. Shapes [K]. */
export interface Course {
  /** Reward of the step that led here: of the team, or the mean over the seats that no script holds; null at the start. */
  readonly rewards: readonly (number | null)[];
  /** Sum of these so far. */
  readonly returns: readonly number[];
  readonly values: readonly (number | null)[];
  /** What the rewards are of, in words. */
  readonly of: string;
}

export function courseOf({
  frames,
  cooperative,
  seats,
}: Pick<ShownReplay, 'frames' | 'cooperative' | 'seats'>): Course {
  const free = seats.flatMap(({ is_scripted: isScripted }, seat) => (isScripted ? [] : [seat]));
  const counted = cooperative || free.length === 0 ? [...seats.keys()] : free;
  const divisor = cooperative ? 1 : counted.length;
  const rewards = frames.map((frame) =>
    frame.rewards.length === 0 ? null : counted.reduce((sum, seat) => sum + frame.rewards[seat]!, 0) / divisor,
  );
  let sum = 0;
  return {
    rewards,
    returns: rewards.map((reward) => (sum += reward ?? 0)),
    values: frames.map(({ value }) => value),
    of: cooperative ? 'all seats together' : 'mean of the seats that no script holds',
  };
}

/** The step that is its key moment; null where no critic says so. */
export function momentOf({ failure }: Pick<ShownReplay, 'failure'>): number | null {
  return failure.has_critic ? failure.key_moment : null;
}

/** Where a body is in a frame; null where it is not there. */
export function placeAt({ places }: Pick<ShownBody, 'places'>, frame: number): Place | null {
  return (places.length === 1 ? places[0] : places[frame]) ?? null;
}

/** Where it is between two frames. @param position from 0 to K − 1 */
export function placeBetween(body: Pick<ShownBody, 'places'>, position: number): Place | null {
  const frame = Math.floor(position);
  const from = placeAt(body, frame);
  const share = position - frame;
  const to = share === 0 ? from : placeAt(body, frame + 1);
  if (from === null || to === null) return from;
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
}

/** Which colour a seat has: its own where all play one role, that of its role otherwise. */
export function colorIndexOf({ seats }: Pick<ShownReplay, 'seats'>, seat: number): number {
  const roles = [...new Set(seats.map(({ role }) => role))];
  return roles.length === 1 ? seat : roles.indexOf(seats[seat]!.role);
}
