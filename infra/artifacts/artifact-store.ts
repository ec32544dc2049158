/** A stored artifact: its content's SHA-256 in hex is its name. */
export interface ArtifactReference {
  readonly hash: string;
  readonly bytes: number;
}

/** Where checkpoints and policies live. Content-addressed: an artifact appears whole or not at all, and never changes. */
export interface ArtifactStore {
  /** Stores bytes; storing the same bytes twice is storing them once. */
  write(content: Uint8Array): Promise<ArtifactReference>;
  /** @throws WORLD_DISK when there is no such artifact, or its content is not what its name says */
  read(hash: string): Promise<Uint8Array>;
  /** Deletes an artifact; there is nothing to do when it is gone already. */
  remove(hash: string): Promise<void>;
}
