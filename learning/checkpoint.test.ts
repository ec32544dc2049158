import { describe, expect, it } from 'vitest';
import { bytesFromCheckpoint, checkpointFromBytes, type Checkpoint } from './checkpoint.ts';

const CHECKPOINT: Checkpoint = {
  header: { algorithm: 'ippo', updateIndex: 3 },
  arrays: {
    parameters: Float32Array.of(1, -0, NaN, Infinity, 1e-40),
    moments: Float64Array.of(Math.PI, -Infinity),
    nothing: new Float32Array(0),
  },
};

describe('a checkpoint', () => {
  it('comes back from its bytes with every number, NaN and infinities included', () => {
    expect(checkpointFromBytes(bytesFromCheckpoint(CHECKPOINT))).toEqual(CHECKPOINT);
  });

  it('is read from a part of a larger buffer, as files are', () => {
    const bytes = bytesFromCheckpoint(CHECKPOINT);
    const larger = Buffer.concat([new Uint8Array(24), bytes, new Uint8Array(8)]);
    expect(checkpointFromBytes(larger.subarray(24, 24 + bytes.length))).toEqual(CHECKPOINT);
  });

  it('gives equal bytes for equal content', () => {
    expect(bytesFromCheckpoint(CHECKPOINT)).toEqual(bytesFromCheckpoint(structuredClone(CHECKPOINT)));
  });

  it('is refused when it was cut short or is something else', () => {
    const bytes = bytesFromCheckpoint(CHECKPOINT);
    expect(() => checkpointFromBytes(bytes.subarray(0, bytes.length - 3))).toThrow(/cut short/);
    expect(() => checkpointFromBytes(new TextEncoder().encode('PK something else'))).toThrow(/not a checkpoint/);
  });
});
