import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldIn, keyFrom, PURPOSE, RandomStream, threefryBlock } from './random.ts';

/** Known answers of Random123, file tests/kat_vectors, lines "threefry2x32 20": counter, key, result. */
const KNOWN_ANSWERS = [
  [0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x6b200159, 0x99ba4efe],
  [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x1cb996fc, 0xbb002be7],
  [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xc4923a9c, 0x483df7a0],
] as const;

const part = fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });

function draw(stream: RandomStream, count: number): number[] {
  return Array.from({ length: count }, () => stream.nextUint32());
}

function moments(values: readonly number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length };
}

describe('threefryBlock', () => {
  it.each(KNOWN_ANSWERS)('gives the known answers of Random123 (%d %d)', (c0, c1, k0, k1, r0, r1) => {
    const out = new Int32Array(2);
    threefryBlock(out, k0, k1, c0, c1);
    expect([out[0]! >>> 0, out[1]! >>> 0]).toEqual([r0, r1]);
  });
});

describe('keys', () => {
  it('fold parts one after the other', () => {
    fc.assert(
      fc.property(part, part, (a, b) => {
        expect(keyFrom(a, b)).toEqual(foldIn(keyFrom(a), b));
      }),
    );
  });

  it('differ when parts differ, also in order, sign, number and above 32 bits', () => {
    const sequences = [[], [0], [0, 0], [1], [-1], [1, 2], [2, 1], [2 ** 32], [2 ** 32 + 1], [1 - 2 ** 32]];
    const texts = sequences.map((parts) => JSON.stringify(keyFrom(...parts)));
    expect(new Set(texts).size).toBe(sequences.length);
  });

  it('are not the numbers drawn under the key they were folded into', () => {
    const key = keyFrom(7);
    const stream = new RandomStream(key);
    stream.seek(0);
    const folded = foldIn(key, 0);
    expect([stream.nextUint32(), stream.nextUint32()]).not.toEqual([folded.high, folded.low]);
  });

  it('refuse what is no safe integer', () => {
    for (const wrong of [0.5, Number.NaN, Infinity, 2 ** 53]) {
      expect(() => foldIn(keyFrom(), wrong)).toThrow(/safe integers/);
    }
  });

  it('have one number for each purpose', () => {
    const numbers = Object.values(PURPOSE);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});

describe('RandomStream', () => {
  it('repeats itself under one key and position and differs under another', () => {
    fc.assert(
      fc.property(part, part, fc.nat(), (a, b, segment) => {
        fc.pre(a !== b);
        const stream = new RandomStream(keyFrom(a));
        stream.seek(segment);
        const first = draw(stream, 8);
        stream.nextNormal();
        const other = keyFrom(b);
        stream.rekey(other.high, other.low);
        stream.seek(segment);
        expect(draw(stream, 8)).not.toEqual(first);
        const again = new RandomStream(keyFrom(a));
        again.seek(segment + 1);
        expect(draw(again, 8)).not.toEqual(first);
        again.seek(segment);
        expect(draw(again, 8)).toEqual(first);
      }),
    );
  });

  it('goes to a folded key as if the key had been made', () => {
    fc.assert(
      fc.property(part, fc.nat(), (a, b) => {
        const key = keyFrom(a);
        const stream = new RandomStream(key);
        stream.rekeyFolded(key.high, key.low, b);
        expect(draw(stream, 4)).toEqual(draw(new RandomStream(foldIn(key, b)), 4));
      }),
    );
  });

  it('forgets kept words and normals when it is moved', () => {
    const stream = new RandomStream(keyFrom(1));
    const normals = [stream.nextNormal(), stream.nextNormal()];
    stream.seek(0);
    expect(stream.nextNormal()).toBe(normals[0]);
    stream.seek(0);
    expect(stream.nextNormal()).toBe(normals[0]);
    expect(stream.nextNormal()).toBe(normals[1]);
  });

  it('draws uniforms with the moments of the uniform distribution', () => {
    const stream = new RandomStream(keyFrom(2));
    const values = Array.from({ length: 100_000 }, () => stream.nextUniform());
    const { mean, variance } = moments(values);
    expect(Math.min(...values.slice(0, 10_000))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values.slice(0, 10_000))).toBeLessThan(1);
    // Four standard errors of the sample mean and variance.
    expect(Math.abs(mean - 1 / 2)).toBeLessThan(4 * Math.sqrt(1 / 12 / values.length));
    expect(Math.abs(variance - 1 / 12)).toBeLessThan(4 * Math.sqrt(1 / 180 / values.length));
  });

  it('draws normals with the moments of the normal distribution', () => {
    const stream = new RandomStream(keyFrom(3));
    const values = Array.from({ length: 100_000 }, () => stream.nextNormal());
    const { mean, variance } = moments(values);
    expect(Math.abs(mean)).toBeLessThan(4 / Math.sqrt(values.length));
    expect(Math.abs(variance - 1)).toBeLessThan(4 * Math.sqrt(2 / values.length));
    const beyondTwo = values.filter((value) => Math.abs(value) > 2).length / values.length;
    expect(Math.abs(beyondTwo - 0.0455)).toBeLessThan(0.003);
  });

  it('draws every integer below the count about equally often and none above', () => {
    const stream = new RandomStream(keyFrom(4));
    const counts = new Array<number>(5).fill(0);
    for (let index = 0; index < 50_000; index += 1) counts[stream.nextInteger(5)]! += 1;
    expect(counts).toHaveLength(5);
    const statistic = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
    // The 99.9 % point of χ² with four degrees of freedom.
    expect(statistic).toBeLessThan(18.47);
  });

  it('shuffles into permutations, each about equally often', () => {
    const stream = new RandomStream(keyFrom(5));
    const counts = new Map<string, number>();
    for (let trial = 0; trial < 24_000; trial += 1) {
      const items = Int32Array.of(0, 1, 2, 3);
      stream.shuffle(items);
      counts.set(items.join(), (counts.get(items.join()) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    const statistic = [...counts.values()].reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    // The 99.9 % point of χ² with 23 degrees of freedom.
    expect(statistic).toBeLessThan(49.73);
  });
});
