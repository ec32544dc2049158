import { ThawError } from '../../schemas/errors.ts';
import type { RandomStream } from '../../simulators/random.ts';
import type { CheckpointArray } from '../checkpoint.ts';
import { SumTree } from './sum-tree.ts';

// Letters: N transitions that are drawn from, M of a minibatch, p priorities.

/** Added to errors, so that nothing is never drawn again. */
const ERROR_MIN = 1e-6;

/**
 * Priorities p = (|δ| + 10⁻⁶)^α of transitions, by slot: their ordinal in the run modulo the capacity. A new transition
 * gets the largest priority that there has been, 1 at first.
 *
 * @source Schaul et al. 2016: Prioritized Experience Replay (arXiv 1511.05952), algorithm 1, proportional
 */
export class PriorityTree {
  private readonly capacity: number;
  private readonly alpha: number;
  private readonly tree: SumTree;
  private largest = 1;
  /** Slots that have had a priority: all before it. */
  private used = 0;

  constructor(capacity: number, alpha: number) {
    this.capacity = capacity;
    this.alpha = alpha;
    this.tree = new SumTree(capacity);
  }

  /** Transitions were added. @param first ordinal of the first @param end ordinal after the last */
  insert(first: number, end: number): void {
    for (let ordinal = Math.max(first, end - this.capacity); ordinal < end; ordinal += 1) {
      this.tree.set(ordinal % this.capacity, this.largest);
    }
    this.used = Math.max(this.used, Math.min(end, this.capacity));
  }

  /**
   * Draws one slot from each of M parts of equal priority, and weighs it:
   *
   *     P(i) = p_i / Σ p,   w_i = (N·P(i))^−β / max_j w_j,   share w_i / M
   *
   * @param slots shape [M], written @param weights shape [M], written
   */
  sample(
    random: RandomStream,
    { slots, weights }: { readonly slots: Int32Array; readonly weights: Float32Array },
    { correction, size }: { readonly correction: number; readonly size: number },
  ): void {
    const { total } = this.tree;
    let largest = 0;
    for (let row = 0; row < slots.length; row += 1) {
      const slot = this.tree.find(((row + random.nextUniform()) / slots.length) * total);
      const weight = ((size * this.tree.at(slot)) / total) ** -correction;
      slots[row] = slot;
      weights[row] = weight;
      largest = Math.max(largest, weight);
    }
    for (let row = 0; row < slots.length; row += 1) weights[row]! /= largest * slots.length;
  }

  /** @param error δ, of any sign; what is not finite leaves the priority as it was */
  update(slot: number, error: number): void {
    const priority = (Math.abs(error) + ERROR_MIN) ** this.alpha;
    if (!Number.isFinite(priority)) return;
    this.tree.set(slot, priority);
    this.largest = Math.max(this.largest, priority);
  }

  /**
   * Gives every transition that is drawn from a priority, and none to others. Only after a checkpoint was loaded without
   * the replay that belongs to it (a member that goes on with another's weights) is there anything to do.
   *
   * @param oldest ordinal of the oldest transition that is drawn from @param end ordinal after the newest
   */
  agreeWith(oldest: number, end: number): void {
    const present = new Set(Array.from({ length: end - oldest }, (_, index) => (oldest + index) % this.capacity));
    for (let slot = 0; slot < this.capacity; slot += 1) {
      const priority = this.tree.at(slot);
      if (present.has(slot) !== priority > 0) this.tree.set(slot, present.has(slot) ? this.largest : 0);
    }
  }

  /** Equal states give equal arrays. */
  arrays(): Readonly<Record<string, CheckpointArray>> {
    return {
      priorities: Float32Array.from({ length: this.used }, (_, slot) => this.tree.at(slot)),
      largestPriority: Float64Array.of(this.largest),
    };
  }

  /** @throws REQUEST_CONFLICT when these are no priorities of so many transitions */
  load({ priorities, largestPriority }: Readonly<Record<string, CheckpointArray | undefined>>): void {
    if (priorities === undefined || priorities.length > this.capacity || largestPriority?.length !== 1) {
      throw new ThawError(
        'REQUEST_CONFLICT',
        `the checkpoint holds no priorities of up to ${this.capacity} transitions`,
      );
    }
    this.tree.fill(priorities);
    this.used = priorities.length;
    this.largest = largestPriority[0]!;
  }
}
