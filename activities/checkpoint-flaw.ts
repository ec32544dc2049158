import type { ArtifactStore } from '../infra/artifacts/artifact-store.ts';
import { segmentsFromBytes } from '../learning/member-checkpoint.ts';

/**
 * What is wrong with a checkpoint, as the end of a sentence about it; null when it is whole.
 * @param options.learns whether what it lists of former blocks must be whole, too
 */
export async function flawOfCheckpoint(
  artifacts: Pick<ArtifactStore, 'flawOf' | 'read'>,
  hash: string,
  { learns }: { learns: boolean },
): Promise<string | null> {
  const flaw = await artifacts.flawOf(hash);
  if (flaw !== null || !learns) return flaw;
  const segments = [...segmentsFromBytes(await artifacts.read(hash)).values()].flat();
  for (const segment of new Set(segments.map((each) => each.hash))) {
    const flawOfSegment = await artifacts.flawOf(segment);
    if (flawOfSegment !== null) return `has a replay segment that ${flawOfSegment} (${segment})`;
  }
  return null;
}
