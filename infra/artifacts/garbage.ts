import { ThawError } from '../../schemas/errors.ts';
import { mayDeleteArtifacts } from '../postgres/artifact-lock.ts';
import { findOldestAttemptS, findReferenced } from '../postgres/artifact-references.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import type { ListedArtifactStore, StoredFile } from './artifact-store.ts';

/** What is written by somebody who is no attempt, as policies of a spec are, has its row within this time. */
export const GARBAGE_AGE_MS = 3_600_000;
/** An attempt begins a moment before its row says so, and clocks of two machines differ. */
const SLACK_MS = 5_000;

export interface Amount {
  readonly files: number;
  readonly bytes: number;
}

export interface Garbage {
  /** Artifacts that no row names. */
  readonly unreferenced: Amount;
  /** Rests of writes that were cut short, and damaged artifacts that were put aside. */
  readonly leftOver: Amount;
  /** Younger than what is looked at: their rows may be on the way. */
  readonly tooYoung: Amount;
  readonly isRemoved: boolean;
}

/**
 * Finds what is in the store and no row refers to, and removes it.
 *
 * It is safe beside running work, because whoever is about to refer to an artifact has written it: an attempt after its
 * start, anybody else within the age. The files are listed before the rows are asked, and one that is written while it is
 * being removed, be it the same bytes, stays (`remove` of the store).
 *
 * @param options.only looks at some artifacts only
 * @throws REQUEST_CONFLICT while a backup is made
 */
export async function collectGarbage(
  database: Database,
  store: ListedArtifactStore,
  { ageMs, isDryRun, only }: { ageMs: number; isDryRun: boolean; only?: ReadonlySet<string> },
): Promise<Garbage> {
  return database.transaction(async (client) => {
    if (!(await mayDeleteArtifacts(client))) {
      throw new ThawError('REQUEST_CONFLICT', 'A backup is being made, which needs all artifacts to stay.', {
        remedy: 'Call it again when the backup is done.',
      });
    }
    const untouchedSinceMs = await latestMoment(client, ageMs);
    const found = await sortFiles(store, { untouchedSinceMs, only });
    const hashes = found.old.map(({ hash }) => hash!);
    const referenced = await findReferenced(client, hashes);
    const unreferenced = found.old.filter(({ hash }) => !referenced.has(hash!));
    const removed: StoredFile[] = [];
    for (const file of unreferenced) {
      if (isDryRun || (await store.remove(file.hash!, { untouchedSinceMs }))) removed.push(file);
    }
    if (!isDryRun) for (const file of found.leftOver) await store.removeLeftOver(file);
    return {
      unreferenced: amountOf(removed),
      leftOver: amountOf(found.leftOver),
      tooYoung: amountOf(found.young),
      isRemoved: !isDryRun,
    };
  });
}

/** What was last written before it is nobody's who has yet to tell of it. */
async function latestMoment(client: Queryable, ageMs: number): Promise<number> {
  // Before the question, because an attempt that begins after it writes later than this.
  const now = Date.now();
  const oldestS = await findOldestAttemptS(client);
  return Math.min(now - ageMs, oldestS === 0 ? now : now - 1000 * oldestS - SLACK_MS);
}

async function sortFiles(
  store: ListedArtifactStore,
  { untouchedSinceMs, only }: { untouchedSinceMs: number; only: ReadonlySet<string> | undefined },
) {
  const sorted = { old: [] as StoredFile[], young: [] as StoredFile[], leftOver: [] as StoredFile[] };
  for await (const file of store.list()) {
    const isAsked = only === undefined || (file.hash !== null && only.has(file.hash));
    if (!isAsked) continue;
    if (file.writtenAtMs >= untouchedSinceMs) sorted.young.push(file);
    else if (file.hash === null) sorted.leftOver.push(file);
    else sorted.old.push(file);
  }
  return sorted;
}

function amountOf(files: readonly StoredFile[]): Amount {
  return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}
