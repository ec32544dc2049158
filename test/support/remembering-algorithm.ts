import type {
  Algorithm,
  Experienced,
  Learner,
  ReplaySegment,
  ReplayStore,
  UpdateMetrics,
} from '../../learning/algorithms/contract.ts';
import { bytesFromCheckpoint, checkpointFromBytes } from '../../learning/checkpoint.ts';

/** Segments that are kept. */
export const SEGMENTS_MAX = 2;

/** Keeps the rewards of former blocks, a segment a round; the oldest segments go first. */
class RewardStore implements ReplayStore {
  segments: ReplaySegment[] = [];
  private open: number[] = [];
  private readonly nameOf: () => string;

  constructor(nameOf: () => string) {
    this.nameOf = nameOf;
  }

  add(rewards: Float32Array): void {
    this.open.push(...rewards);
  }

  seal(): void {
    if (this.open.length === 0) return;
    const content = new Uint8Array(Float32Array.from(this.open).buffer);
    this.segments = [...this.segments, { name: this.nameOf(), bytes: () => content }].slice(-SEGMENTS_MAX);
    this.open = [];
  }

  restore(segments: readonly ReplaySegment[]): void {
    this.segments = segments.map((segment) => {
      const content = segment.bytes();
      return { name: segment.name, bytes: () => content };
    });
    this.open = [];
  }

  sum(): number {
    const kept = this.segments.flatMap((segment) => [...new Float32Array(segment.bytes().slice().buffer)]);
    return [...kept, ...this.open].reduce((total, reward) => total + reward, 0);
  }
}

/** A learner whose state depends on everything that it has kept of former blocks, and on how often it learnt from it. */
class RememberingLearner implements Learner {
  readonly replay: RewardStore;
  private readonly inner: Learner;
  private memory = 0;

  constructor(inner: Learner) {
    this.inner = inner;
    this.replay = new RewardStore(() => String(inner.updateIndex));
  }

  get policies() {
    return this.inner.policies;
  }
  get needs() {
    return this.inner.needs;
  }
  get updateIndex() {
    return this.inner.updateIndex;
  }
  get returns() {
    return this.inner.returns;
  }
  get divergence() {
    return this.inner.divergence;
  }

  createActor: Learner['createActor'] = (...asked) => this.inner.createActor(...asked);
  policyGraph: Learner['policyGraph'] = (group) => this.inner.policyGraph(group);
  release: Learner['release'] = () => this.inner.release();

  async update(block: Experienced): Promise<UpdateMetrics> {
    for (const { rewards } of block.rollouts) this.replay.add(rewards);
    this.memory = 0.5 * this.memory + this.replay.sum();
    return this.inner.update(block);
  }

  save(): Uint8Array {
    return bytesFromCheckpoint({
      header: {},
      arrays: { inner: this.inner.save(), memory: Float64Array.of(this.memory) },
    });
  }

  async load(bytes: Uint8Array): Promise<void> {
    const { inner, memory } = checkpointFromBytes(bytes).arrays;
    await this.inner.load(inner as Uint8Array);
    this.memory = memory![0]!;
  }
}

/** An algorithm that learns as another one does, and beside that remembers former blocks. */
export function remembering(algorithm: Algorithm): Algorithm {
  return { ...algorithm, createLearner: async (setup) => new RememberingLearner(await algorithm.createLearner(setup)) };
}
