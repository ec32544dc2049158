import { ThawError } from '../../schemas/errors.ts';
import type { RandomStream } from '../../simulators/random.ts';
import type { Experienced, ReplaySegment, ReplayStore } from '../algorithms/contract.ts';
import { bytesFromCheckpoint, checkpointFromBytes, type CheckpointArray } from '../checkpoint.ts';
import { packTransitions, type SpanOptions } from './pack-transitions.ts';
import { PriorityTree } from './priority-tree.ts';
import type { ReplaySettings } from './replay-settings.ts';
import type { TransitionLayout } from './transition-layout.ts';

// Letters: M transitions of a minibatch, K numbers of a transition.

export interface ReplayOptions extends SpanOptions {
  readonly layout: TransitionLayout;
  readonly settings: ReplaySettings;
  /** Update blocks of the run so far: it names what is sealed. */
  readonly updateIndex: () => number;
}

/** Transitions that were drawn. The arrays are the caller's and are filled. */
export interface ReplayMinibatch {
  /** Shape [M K]. */
  readonly transitions: Float32Array;
  /** Shape [M]: shares in the loss's mean: 1/M, and less for what is drawn more often than alike. */
  readonly weights: Float32Array;
  /** Shape [M]: names what was drawn, until something is added. */
  readonly slots: Int32Array;
}

/** Transitions of one update block, in an array of their own that never changes. */
interface Block {
  /** Transitions of the run before it. */
  readonly first: number;
  readonly count: number;
  /** Shape [count K]. */
  readonly transitions: Float32Array;
  /** Null until it is sealed. */
  segment: string | null;
}

/**
 * The newest transitions of a run. They lie block by block in arrays that are made when a block is added and let go when
 * none of their segment is among the newest, so memory grows with what there is. Minibatches are copied out of them, which
 * took 90 µs more for 256 rows of 135 numbers than an index into one array of 54 MB inside the graph; an executor with
 * memory of its own would have to be sent that array at every step (docs/studies/value-based-settings.md).
 */
export class ReplayBuffer implements ReplayStore {
  private readonly options: ReplayOptions;
  private readonly priorities: PriorityTree | null;
  private blocks: Block[] = [];
  /** Transitions of the run so far. */
  private added = 0;
  /** Whether priorities and transitions came from outside since they were last used together. */
  private areApart = false;

  constructor(options: ReplayOptions) {
    this.options = options;
    const { capacity, prioritized } = options.settings;
    this.priorities = prioritized && new PriorityTree(capacity, prioritized.alpha);
  }

  /** Transitions that are drawn from. */
  get size(): number {
    return Math.min(this.added - (this.blocks[0]?.first ?? this.added), this.options.settings.capacity);
  }

  /** Takes in what can be learnt from of a block. @returns transitions that were added */
  add(experienced: Experienced): number {
    const { layout } = this.options;
    const transitions = packTransitions(experienced, layout, this.options);
    const count = transitions.length / layout.width;
    if (count === 0) return 0;
    this.bringTogether();
    this.blocks.push({ first: this.added, count, transitions, segment: null });
    this.priorities?.insert(this.added, this.added + count);
    this.added += count;
    this.forget();
    return count;
  }

  /**
   * Draws transitions, with replacement.
   * @param correction β: how far weights make up for priorities, 0 … 1
   */
  sample(random: RandomStream, { transitions, weights, slots }: ReplayMinibatch, correction: number): void {
    const { layout, settings } = this.options;
    const { size, oldest, priorities } = this;
    const { capacity } = settings;
    const { width } = layout;
    this.bringTogether();
    weights.fill(1 / slots.length);
    if (priorities === null) slots.forEach((_, row) => (slots[row] = (oldest + random.nextInteger(size)) % capacity));
    else priorities.sample(random, { slots, weights }, { correction, size });
    slots.forEach((slot, row) => {
      // Among the newest there is one ordinal for every slot.
      const ordinal = oldest + ((slot - (oldest % capacity) + capacity) % capacity);
      const block = this.blockOf(ordinal);
      const start = (ordinal - block.first) * width;
      transitions.set(block.transitions.subarray(start, start + width), row * width);
    });
  }

  /** @param slots as `sample` gave them @param errors shape [M]: how far off each was, of any sign */
  prioritize(slots: Int32Array, errors: Float32Array): void {
    slots.forEach((slot, row) => this.priorities?.update(slot, errors[row]!));
  }

  seal(): void {
    const name = String(this.options.updateIndex());
    for (const block of this.blocks) block.segment ??= name;
    this.forget();
  }

  get segments(): readonly ReplaySegment[] {
    const { width } = this.options.layout;
    const names = [...new Set(this.blocks.flatMap(({ segment }) => segment ?? []))];
    return names.map((name) => {
      const blocks = this.blocks.filter(({ segment }) => segment === name);
      return { name, bytes: () => bytesFromBlocks(blocks, width) };
    });
  }

  restore(segments: readonly ReplaySegment[]): void {
    const { width } = this.options.layout;
    this.blocks = segments.flatMap((segment) => blocksFromBytes(segment.bytes(), segment.name, width));
    this.areApart = true;
    const last = this.blocks.at(-1);
    this.added = last === undefined ? 0 : last.first + last.count;
  }

  /** What changes of what is kept: belongs into a checkpoint beside the segments. */
  arrays(): Readonly<Record<string, CheckpointArray>> {
    return this.priorities?.arrays() ?? {};
  }

  /** @throws REQUEST_CONFLICT when the arrays are of another buffer */
  load(arrays: Readonly<Record<string, CheckpointArray | undefined>>): void {
    this.priorities?.load(arrays);
    this.areApart = true;
  }

  /** Ordinal of the oldest transition that is drawn from. */
  private get oldest(): number {
    return this.added - this.size;
  }

  private bringTogether(): void {
    if (this.areApart) this.priorities?.agreeWith(this.oldest, this.added);
    this.areApart = false;
  }

  /** The block of a transition. They are in order, so half of them are left out at each step. */
  private blockOf(ordinal: number): Block {
    let [low, high] = [0, this.blocks.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.blocks[middle]!.first <= ordinal) low = middle;
      else high = middle - 1;
    }
    return this.blocks[low]!;
  }

  /** A sealed segment is kept as a whole as long as any of it is drawn from. */
  private forget(): void {
    const isNeeded = ({ first, count }: Block): boolean => first + count > this.oldest;
    const needed = new Set(this.blocks.filter(isNeeded).map(({ segment }) => segment));
    this.blocks = this.blocks.filter((block) => (block.segment === null ? isNeeded(block) : needed.has(block.segment)));
  }
}

function bytesFromBlocks(blocks: readonly Block[], width: number): Uint8Array {
  const arrays = Object.fromEntries(blocks.map(({ transitions }, index) => [String(index), transitions]));
  return bytesFromCheckpoint({ header: { replay: { first: blocks[0]!.first, width } }, arrays });
}

/** @throws WORLD_DISK when the bytes are no segment of such transitions */
function blocksFromBytes(bytes: Uint8Array, segment: string, width: number): Block[] {
  const { header, arrays } = checkpointFromBytes(bytes);
  const replay = header['replay'] as { readonly first: number; readonly width: number } | undefined;
  if (replay?.width !== width) {
    throw new ThawError('WORLD_DISK', `segment ${segment} holds no transitions of ${width} numbers`);
  }
  let { first } = replay;
  return Object.values(arrays).map((transitions): Block => {
    const block = { first, count: transitions.length / width, transitions: transitions as Float32Array, segment };
    first += block.count;
    return block;
  });
}
