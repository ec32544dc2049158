import { describe, expect, it } from 'vitest';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { openSpread } from '../../test/support/small-learning.ts';
import { randomExperience } from '../../test/support/random-experience.ts';
import type { PolicyDescription, ReplaySegment } from '../algorithms/contract.ts';
import { ReplayBuffer, type ReplayMinibatch } from './replay-buffer.ts';
import type { ReplaySettings } from './replay-settings.ts';
import { transitionLayout } from './transition-layout.ts';

const world = openSpread({ agents: 2 });
const policies: readonly PolicyDescription[] = world.groups.map(({ observationSize, actions }, group) => ({
  group,
  inputSize: observationSize,
  identitySize: 0,
  actions,
  isMasked: false,
  memorySize: 0,
}));
const layout = transitionLayout(world, policies, { learners: [0, 1], joint: false });
const BLOCK = 12;
const CAPACITY = 50;
const PRIORITIZED = { alpha: 0.7, beta: 0.4, beta_final: 1 };

class Run {
  updates = 0;
  readonly buffer: ReplayBuffer;

  constructor(settings: Partial<ReplaySettings> = {}) {
    this.buffer = new ReplayBuffer({
      layout,
      steps: 1,
      gamma: 0.9,
      settings: { capacity: CAPACITY, prioritized: null, ...settings },
      updateIndex: () => this.updates,
    });
  }

  /** Blocks of 12 transitions each, which differ from block to block. */
  play(blockCount: number): this {
    for (let block = 0; block < blockCount; block += 1) {
      this.buffer.add(randomExperience({ world, policies, stepCount: 4, environmentCount: 3, seed: this.updates }));
      this.updates += 1;
    }
    return this;
  }

  draw(count: number, correction = 1): ReplayMinibatch {
    const minibatch = {
      transitions: new Float32Array(count * layout.width),
      weights: new Float32Array(count),
      slots: new Int32Array(count),
    };
    this.buffer.sample(new RandomStream(keyFrom(5, this.updates)), minibatch, correction);
    return minibatch;
  }

  /** A round: some blocks, each learnt from, and sealed. */
  round(blockCount: number): this {
    for (let block = 0; block < blockCount; block += 1) {
      const { slots } = this.play(1).draw(8);
      this.buffer.prioritize(
        slots,
        Float32Array.from(slots, (slot) => slot / 10 + this.updates),
      );
    }
    this.buffer.seal();
    return this;
  }
}

const stored = (segments: readonly ReplaySegment[]): ReplaySegment[] =>
  segments.map((segment) => {
    const bytes = segment.bytes();
    return { name: segment.name, bytes: () => bytes };
  });
const contents = (segments: readonly ReplaySegment[]) =>
  segments.map((segment) => [segment.name, Buffer.from(segment.bytes()).toString('base64')]);
/** The reward of the first seat tells transitions apart. */
const rewardsOf = ({ transitions, slots }: ReplayMinibatch): number[] =>
  Array.from(slots, (_, row) => transitions[row * layout.width + layout.groups[0]!.rewards.offset]!);
const rewardsOfBlocks = (first: number, end: number): number[] =>
  Array.from({ length: end - first }, (_, index) => {
    const block = randomExperience({ world, policies, stepCount: 4, environmentCount: 3, seed: first + index });
    return Array.from({ length: BLOCK }, (_, row) => block.rollouts[0]!.rewards[row * 2]!);
  }).flat();

describe('a replay buffer', () => {
  it('draws all of the newest transitions alike and nothing older', () => {
    const drawn = rewardsOf(new Run().play(7).draw(20_000));
    const newest = rewardsOfBlocks(0, 7).slice(-CAPACITY);
    expect(new Set(drawn)).toEqual(new Set(newest));
    for (const reward of newest) {
      const share = drawn.filter((each) => each === reward).length / drawn.length;
      // Six standard errors of a share of 1/50 among 20 000.
      expect(Math.abs(share - 1 / CAPACITY)).toBeLessThan(6 * Math.sqrt(0.02 / 20_000));
    }
  });

  it.each([null, PRIORITIZED])(
    'goes on from its segments as if it had not stopped, wrapped around (%o)',
    (settings) => {
      for (const roundCount of [1, 2, 4, 5]) {
        const run = new Run({ prioritized: settings });
        for (let round = 0; round < roundCount; round += 1) run.round(2);
        const resumed = new Run({ prioritized: settings });
        resumed.updates = run.updates;
        resumed.buffer.load(run.buffer.arrays());
        expect(resumed.buffer.arrays()).toEqual(run.buffer.arrays());
        resumed.buffer.restore(stored(run.buffer.segments));
        expect(contents(resumed.buffer.segments)).toEqual(contents(run.buffer.segments));
        for (const each of [run, resumed]) each.round(2).round(1);
        expect(resumed.draw(64)).toEqual(run.draw(64));
        expect(resumed.buffer.arrays()).toEqual(run.buffer.arrays());
        expect(contents(resumed.buffer.segments)).toEqual(contents(run.buffer.segments));
      }
    },
  );

  it('keeps a sealed segment unchanged until nothing of it is drawn from any more', () => {
    const run = new Run().round(2).round(2);
    const [first, second] = contents(run.buffer.segments);
    run.round(1);
    expect(contents(run.buffer.segments).slice(0, 2)).toEqual([first, second]);
    run.round(2);
    expect(contents(run.buffer.segments)[0]).toEqual(second);
    expect(run.buffer.segments.map(({ name }) => name)).toEqual(['4', '5', '7']);
  });

  it('lets go of what is not drawn from any more before a round is over', () => {
    const run = new Run().play(40);
    run.buffer.seal();
    const [segment] = run.buffer.segments;
    expect(run.buffer.size).toBe(CAPACITY);
    expect(segment!.bytes().length).toBeLessThan(4 * layout.width * (CAPACITY + BLOCK) + 1000);
  });

  it('refuses bytes that are no segment of such transitions', () => {
    const [segment] = stored(new Run().round(1).buffer.segments);
    const other = new ReplayBuffer({
      layout: transitionLayout(world, policies, { learners: [0], joint: false }),
      steps: 1,
      gamma: 0.9,
      settings: { capacity: CAPACITY, prioritized: null },
      updateIndex: () => 0,
    });
    const isDisk = expect.objectContaining({ code: 'WORLD_DISK' });
    expect(() => other.restore([segment!])).toThrow(isDisk);
    expect(() => other.restore([{ name: '1', bytes: () => new Uint8Array(20) }])).toThrow(isDisk);
  });

  it('draws in proportion to priorities and weighs so that all transitions count alike', () => {
    const run = new Run({ prioritized: { ...PRIORITIZED, alpha: 1 } }).play(4);
    const slots = Int32Array.from({ length: 48 }, (_, slot) => slot);
    run.buffer.prioritize(
      slots,
      Float32Array.from(slots, (slot) => (slot % 2 === 0 ? -3 : 1)),
    );
    const drawn = run.draw(9600);
    const even = drawn.slots.filter((slot) => slot % 2 === 0);
    expect(even.length / drawn.slots.length).toBeCloseTo(3 / 4, 3);
    drawn.slots.forEach((slot, row) => expect(drawn.weights[row]! * 9600).toBeCloseTo(slot % 2 === 0 ? 1 / 3 : 1, 4));
  });

  it('draws what is new before what it knows to be right', () => {
    const run = new Run({ prioritized: PRIORITIZED }).play(2);
    const slots = Int32Array.from({ length: 24 }, (_, slot) => slot);
    run.buffer.prioritize(slots, new Float32Array(24));
    const { slots: drawn } = run.play(1).draw(200);
    expect(drawn.filter((slot) => slot >= 24).length).toBeGreaterThan(190);
  });

  it('draws from what it has, whatever priorities were loaded without the transitions they were of', () => {
    for (const [own, others] of [
      [2, 4],
      [4, 1],
      [6, 6],
    ] as const) {
      const run = new Run({ prioritized: PRIORITIZED }).play(own);
      run.buffer.load(new Run({ prioritized: PRIORITIZED }).round(others).buffer.arrays());
      const rewards = new Set(rewardsOf(run.draw(5000)));
      expect(rewards).toEqual(new Set(rewardsOfBlocks(0, own).slice(-CAPACITY)));
    }
  });
});
