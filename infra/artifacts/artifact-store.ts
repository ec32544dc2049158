/** A stored artifact: its content's SHA-256 in hex is its name. */
export interface ArtifactReference {
  readonly hash: string;
  readonly bytes: number;
}

/** Where checkpoints and policies live. Content-addressed: an artifact appears whole or not at all, and never changes. */
export interface ArtifactStore {
  /**
   * Stores bytes; storing the same bytes twice is storing them once, and says anew that somebody needs them.
   * @throws WORLD_DISK when there is no space, or the folder may not be written; nothing is left then
   */
  write(content: Uint8Array): Promise<ArtifactReference>;
  /** @throws WORLD_DISK when there is no such artifact, or its content is not what its name says */
  read(hash: string): Promise<Uint8Array>;
  /**
   * What is wrong with an artifact, as the end of a sentence about it; null when it is whole.
   * @throws WORLD_DISK when the whole store is out of reach, which says nothing about what is in it
   */
  flawOf(hash: string): Promise<string | null>;
  /**
   * Deletes an artifact that nobody has written since a moment, also as the same bytes. There is nothing to do when it is
   * gone already.
   * @param untouchedSinceMs milliseconds of the epoch
   * @returns whether it was there and is gone now
   */
  remove(hash: string, options: { untouchedSinceMs: number }): Promise<boolean>;
}

/** A file of a store: an artifact, or what a write that was cut short has left. */
export interface StoredFile {
  /** Within the store. */
  readonly name: string;
  /** Null for a left-over. */
  readonly hash: string | null;
  readonly bytes: number;
  /** When it was written last, also as the same bytes. */
  readonly writtenAtMs: number;
}

/** A store that can be looked through, to find what nobody needs. */
export interface ListedArtifactStore extends ArtifactStore {
  list(): AsyncIterable<StoredFile>;
  removeLeftOver(file: StoredFile): Promise<void>;
}
