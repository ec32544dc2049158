import { ThawError } from '../schemas/errors.ts';
import { ONE_LEARNER } from './strategies/contract.ts';
import { bytesFromCheckpoint, checkpointFromBytes } from './checkpoint.ts';

/** What a learner saves, by the name of its member. */
export type MemberCheckpoints = ReadonlyMap<string, Uint8Array>;

/** The checkpoint of a run: everything that each of its members needs to go on. Equal states give equal bytes. */
export function bytesFromMembers(members: MemberCheckpoints): Uint8Array {
  return bytesFromCheckpoint({ header: { members: [...members.keys()] }, arrays: Object.fromEntries(members) });
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
