import { ThawError } from '../schemas/errors.ts';
import { ONE_LEARNER } from './strategies/contract.ts';
import { bytesFromCheckpoint, checkpointFromBytes } from './checkpoint.ts';

/** What a learner saves, by the name of its member. */
export type MemberCheckpoints = ReadonlyMap<string, Uint8Array>;

/** A sealed segment of what a learner has kept of former blocks, and where it is stored. */
export interface StoredSegment {
  readonly name: string;
  /** Of its bytes, by which it is found. */
  readonly hash: string;
  readonly bytes: number;
}

/** The segments that each member draws from, the oldest first; of members that keep nothing, nothing. */
export type MemberSegments = ReadonlyMap<string, readonly StoredSegment[]>;

/**
 * The checkpoint of a run: everything that each of its members needs to go on. Segments are named and not contained, so
 * that the checkpoints after neighbouring rounds share them. Equal states give equal bytes.
 */
export function bytesFromMembers(members: MemberCheckpoints, segments: MemberSegments = new Map()): Uint8Array {
  const replay = Object.fromEntries(segments);
  const header = { members: [...members.keys()], ...(segments.size > 0 && { replay }) };
  return bytesFromCheckpoint({ header, arrays: Object.fromEntries(members) });
}

/** @throws WORLD_DISK when the bytes are no checkpoint or were cut short */
export function segmentsFromBytes(bytes: Uint8Array): MemberSegments {
  const { replay = {} } = checkpointFromBytes(bytes).header;
  return new Map(Object.entries(replay as Record<string, readonly StoredSegment[]>));
}

/**
 * A checkpoint of the time before there were members is that of the one learner.
 * @throws WORLD_DISK when the bytes are no checkpoint or were cut short
 */
export function membersFromBytes(bytes: Uint8Array): MemberCheckpoints {
  const { header, arrays } = checkpointFromBytes(bytes);
  const names = header['members'] as string[] | undefined;
  if (names === undefined) return new Map([[ONE_LEARNER[0]!.name, bytes]]);
  return new Map(names.map((name) => [name, arrays[name] as Uint8Array]));
}

/** @throws REQUEST_CONFLICT when the checkpoint holds no such member */
export function checkpointOf(members: MemberCheckpoints, name: string): Uint8Array {
  const bytes = members.get(name);
  if (bytes !== undefined) return bytes;
  const held = members.size === 0 ? 'no member' : [...members.keys()].join(', ');
  throw new ThawError('REQUEST_CONFLICT', `the checkpoint holds no policy called ${name}; it holds ${held}`);
}
