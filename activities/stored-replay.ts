import type { ArtifactStore } from '../infra/artifacts/artifact-store.ts';
import type { Learner } from '../learning/algorithms/contract.ts';
import type { StoredSegment } from '../learning/member-checkpoint.ts';

/** What a learner keeps of former blocks, in the artifact store: a segment is written once, and never changes. */
export class StoredReplay {
  private readonly learner: Learner;
  private readonly artifacts: ArtifactStore;
  /** Where the segments of the learner are stored that are, by their names. */
  private stored: ReadonlyMap<string, StoredSegment> = new Map();

  constructor(learner: Learner, artifacts: ArtifactStore) {
    this.learner = learner;
    this.artifacts = artifacts;
  }

  /** @param segments as a checkpoint lists them @throws WORLD_DISK when one of them is missing or damaged */
  async restore(segments: readonly StoredSegment[]): Promise<void> {
    const read: { name: string; bytes: () => Uint8Array }[] = [];
    for (const { name, hash } of segments) {
      const content = await this.artifacts.read(hash);
      read.push({ name, bytes: () => content });
    }
    this.learner.replay?.restore(read);
    this.stored = new Map(segments.map((segment) => [segment.name, segment]));
  }

  /** Closes the newest segment and writes those that are not stored yet. @returns all that are drawn from, the oldest first */
  async store(): Promise<readonly StoredSegment[]> {
    this.learner.replay?.seal();
    const listed: StoredSegment[] = [];
    for (const segment of this.learner.replay?.segments ?? []) {
      const { name } = segment;
      listed.push(this.stored.get(name) ?? { name, ...(await this.artifacts.write(segment.bytes())) });
    }
    this.stored = new Map(listed.map((segment) => [segment.name, segment]));
    return listed;
  }
}
