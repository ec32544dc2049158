import { describe, expect, it } from 'vitest';
import { crc32c, maskedCrc32c, scalarRecord } from './tensorboard-events.ts';

describe('records of event files', () => {
  it('have checksums as RFC 3720, appendix B.4, gives them', () => {
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
    expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43);
    expect(crc32c(Uint8Array.from({ length: 32 }, (_, index) => index))).toBe(0x46dd794e);
    expect(crc32c(Uint8Array.from({ length: 32 }, (_, index) => 31 - index))).toBe(0x113fdb5c);
  });

  it('say how long they are, and check that and what they hold', () => {
    const record = Buffer.from(
      scalarRecord({ tag: 'scores/heldout_return', step: 2 ** 40, value: -1.5, wallTimeS: 7 }),
    );
    const length = Number(record.readBigUInt64LE(0));
    expect(record.length).toBe(8 + 4 + length + 4);
    expect(record.readUInt32LE(8)).toBe(maskedCrc32c(record.subarray(0, 8)));
    expect(record.readUInt32LE(12 + length)).toBe(maskedCrc32c(record.subarray(12, 12 + length)));
    expect(record.includes('scores/heldout_return')).toBe(true);
  });
});
