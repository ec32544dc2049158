import { ThawError } from '../schemas/errors.ts';

/**
 * Counter-based random numbers: every number is a function of a key and a position, so nothing about random state is
 * ever stored, any two processes agree, and no two purposes share a stream.
 *
 * The generator is Threefry-2x32 with 20 rounds, which needs only 32-bit additions, rotations and exclusive-ors.
 *
 * @source Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3 (SC 2011), the Random123 library.
 */

/** 64 bits that name one stream of random numbers. Both halves are unsigned 32-bit integers. */
export interface Key {
  readonly high: number;
  readonly low: number;
}

/**
 * What a stream is for. A purpose is folded into the key, so streams of different purposes are unrelated. The numbers
 * are part of every result: they never change and are never used again for something else.
 */
export const PURPOSE = {
  startState: 1,
  partner: 2,
  observationNoise: 3,
  actionSampling: 4,
  simulatorChoice: 5,
  randomization: 6,
  minibatchOrder: 7,
  initialWeights: 8,
  evaluation: 9,
  reference: 10,
  poolFilling: 11,
  strategy: 12,
  episode: 13,
  partnerChoice: 14,
  bootstrap: 15,
  mining: 16,
  droppedObservation: 17,
  stickyAction: 18,
  dynamics: 19,
  behaviour: 20,
  replaySampling: 21,
  gumbel: 23,
  rightOfWay: 31,
  demonstrationSplit: 35,
  cloning: 36,
  bridgedEnvironment: 34,
} as const;

const TWO_TO_32 = 4294967296;
const UNIFORM_53_BITS = 1 / 9007199254740992;
/** Separates keys made by folding from numbers drawn under the same key. */
const FOLD_DOMAIN = 0x464f4c44;
/** Filled and read within one call of `foldIn`: keys are made per episode, and a typed array costs more than the block. */
const foldedWords = new Int32Array(2);

/**
 * One block of Threefry-2x32-20: 64 bits of counter to 64 random bits.
 *
 * @param out receives the two words as signed 32-bit integers
 */
export function threefryBlock(out: Int32Array, keyHigh: number, keyLow: number, high: number, low: number): void {
  const k0 = keyHigh | 0;
  const k1 = keyLow | 0;
  const k2 = k0 ^ k1 ^ 0x1bd11bda;
  let a = (high + k0) | 0;
  let b = (low + k1) | 0;
  // Four rounds and a key injection, five times. Written out: a loop over rotation counts runs at 21 M blocks/s, this at 47 M.
  a = (a + b) | 0;
  b = ((b << 13) | (b >>> 19)) ^ a;
  a = (a + b) | 0;
  b = ((b << 15) | (b >>> 17)) ^ a;
  a = (a + b) | 0;
  b = ((b << 26) | (b >>> 6)) ^ a;
  a = (a + b) | 0;
  b = ((b << 6) | (b >>> 26)) ^ a;
  a = (a + k1) | 0;
  b = (b + k2 + 1) | 0;

  a = (a + b) | 0;
  b = ((b << 17) | (b >>> 15)) ^ a;
  a = (a + b) | 0;
  b = ((b << 29) | (b >>> 3)) ^ a;
  a = (a + b) | 0;
  b = ((b << 16) | (b >>> 16)) ^ a;
  a = (a + b) | 0;
  b = ((b << 24) | (b >>> 8)) ^ a;
  a = (a + k2) | 0;
  b = (b + k0 + 2) | 0;

  a = (a + b) | 0;
  b = ((b << 13) | (b >>> 19)) ^ a;
  a = (a + b) | 0;
  b = ((b << 15) | (b >>> 17)) ^ a;
  a = (a + b) | 0;
  b = ((b << 26) | (b >>> 6)) ^ a;
  a = (a + b) | 0;
  b = ((b << 6) | (b >>> 26)) ^ a;
  a = (a + k0) | 0;
  b = (b + k1 + 3) | 0;

  a = (a + b) | 0;
  b = ((b << 17) | (b >>> 15)) ^ a;
  a = (a + b) | 0;
  b = ((b << 29) | (b >>> 3)) ^ a;
  a = (a + b) | 0;
  b = ((b << 16) | (b >>> 16)) ^ a;
  a = (a + b) | 0;
  b = ((b << 24) | (b >>> 8)) ^ a;
  a = (a + k1) | 0;
  b = (b + k2 + 4) | 0;

  a = (a + b) | 0;
  b = ((b << 13) | (b >>> 19)) ^ a;
  a = (a + b) | 0;
  b = ((b << 15) | (b >>> 17)) ^ a;
  a = (a + b) | 0;
  b = ((b << 26) | (b >>> 6)) ^ a;
  a = (a + b) | 0;
  b = ((b << 6) | (b >>> 26)) ^ a;
  out[0] = (a + k2) | 0;
  out[1] = (b + k0 + 5) | 0;
}

/**
 * The key of a part of what `key` names: a round of a run, an environment of a round, an episode of an environment.
 *
 * @param part any safe integer
 * @throws DEFECT_INVARIANT when `part` is no safe integer
 */
export function foldIn(key: Key, part: number): Key {
  if (!Number.isSafeInteger(part)) {
    throw new ThawError('DEFECT_INVARIANT', `a key is made of safe integers, not of ${part}`);
  }
  threefryBlock(foldedWords, key.high ^ FOLD_DOMAIN, key.low, Math.floor(part / TWO_TO_32), part);
  return { high: foldedWords[0]! >>> 0, low: foldedWords[1]! >>> 0 };
}

/** The key named by a sequence of safe integers, e.g. seed, purpose, round. Order matters, and so do leading zeros. */
export function keyFrom(...parts: readonly number[]): Key {
  return parts.reduce(foldIn, { high: 0, low: 0 });
}

/**
 * A position in the stream of a key. Nothing but the constructor allocates, so one stream can be pointed at key after
 * key inside a step loop.
 */
export class RandomStream {
  private readonly words = new Int32Array(2);
  private keyHigh = 0;
  private keyLow = 0;
  private counter = 0;
  private block = 0;
  private hasSpareWord = false;
  private hasSpareNormal = false;
  private spareNormal = 0.5;

  constructor(key: Key) {
    this.rekey(key.high, key.low);
  }

  /** Continues at the start of another key's stream. */
  rekey(high: number, low: number): void {
    this.keyHigh = high | 0;
    this.keyLow = low | 0;
    this.seek(0);
  }

  /** The same as `rekey` with `foldIn(key, part)`, without making the key. @param part unsigned 32-bit integer */
  rekeyFolded(high: number, low: number, part: number): void {
    threefryBlock(this.words, high ^ FOLD_DOMAIN, low, 0, part);
    this.rekey(this.words[0]!, this.words[1]!);
  }

  /**
   * Continues at the start of one of the key's 2³² segments, each of 2³² blocks of 64 bits; segments never overlap.
   * @param counter unsigned 32-bit index of the segment, e.g. the step of an episode
   */
  seek(counter: number): void {
    this.counter = counter | 0;
    this.block = 0;
    this.hasSpareWord = false;
    this.hasSpareNormal = false;
  }

  /** Uniform in 0 … 2³² − 1. */
  nextUint32(): number {
    if (this.hasSpareWord) {
      this.hasSpareWord = false;
      return this.words[1]! >>> 0;
    }
    this.nextBlock();
    this.hasSpareWord = true;
    return this.words[0]! >>> 0;
  }

  /** Uniform in [0, 1), a multiple of 2⁻⁵³. Takes a whole block. */
  nextUniform(): number {
    this.nextBlock();
    return ((this.words[0]! >>> 5) * 67108864 + (this.words[1]! >>> 6)) * UNIFORM_53_BITS;
  }

  /**
   * Uniform in 0 … count − 1. Multiplication instead of rejection, so that one call is one draw; the probabilities
   * differ from 1 / count by less than 2⁻³², which matters for none of the counts used here.
   * @param count 1 … 2³¹
   */
  nextInteger(count: number): number {
    return Math.floor((this.nextUint32() * count) / TWO_TO_32);
  }

  /**
   * Standard normal by Box and Muller: two numbers from one block, the second kept for the next call.
   * |result| ≤ 6.8 because the radius comes from 32 bits.
   */
  nextNormal(): number {
    if (this.hasSpareNormal) {
      this.hasSpareNormal = false;
      return this.spareNormal;
    }
    this.nextBlock();
    const radius = Math.sqrt(-2 * Math.log(((this.words[0]! >>> 0) + 0.5) / TWO_TO_32));
    const angle = ((this.words[1]! >>> 0) * 2 * Math.PI) / TWO_TO_32;
    this.spareNormal = radius * Math.sin(angle);
    this.hasSpareNormal = true;
    return radius * Math.cos(angle);
  }

  /** Puts the items into a uniformly random order, in place (Fisher and Yates). */
  shuffle(items: Int32Array): void {
    for (let last = items.length - 1; last > 0; last -= 1) {
      const chosen = this.nextInteger(last + 1);
      const item = items[last]!;
      items[last] = items[chosen]!;
      items[chosen] = item;
    }
  }

  private nextBlock(): void {
    threefryBlock(this.words, this.keyHigh, this.keyLow, this.counter, this.block);
    this.block = (this.block + 1) | 0;
    this.hasSpareWord = false;
  }
}
