import { describe, expect, it } from 'vitest';
import { bytesFromCheckpoint } from './checkpoint.ts';
import { bytesFromMembers, checkpointOf, membersFromBytes } from './member-checkpoint.ts';

const members = new Map([
  ['learner', Uint8Array.of(1, 2, 3)],
  ['partner', Uint8Array.of(255, 0, 7, 8, 9)],
  ['7', new Uint8Array(0)],
]);

describe('the checkpoint of a run', () => {
  it('gives back what each member saved, and the same bytes for the same state', () => {
    const bytes = bytesFromMembers(members);
    const read = membersFromBytes(bytes);
    expect(read).toEqual(members);
    expect(bytesFromMembers(read)).toEqual(bytes);
    for (const [name, saved] of members) expect(checkpointOf(read, name)).toEqual(saved);
  });

  it('of the time before there were members is that of the one learner', () => {
    const before = bytesFromCheckpoint({ header: { algorithm: 'ippo', updateIndex: 3 }, arrays: {} });
    expect(membersFromBytes(before)).toEqual(new Map([['learner', before]]));
  });

  it('names the member that it lacks, and those that it has', () => {
    expect(() => checkpointOf(members, 'm3')).toThrow(
      expect.objectContaining({
        code: 'REQUEST_CONFLICT',
        message: 'the checkpoint holds no policy called m3; it holds learner, partner, 7',
      }),
    );
  });
});
