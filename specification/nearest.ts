import { distance } from 'fastest-levenshtein';

/** The known name that is spelt most alike, unless it takes too many edits to be meant. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  const ranked = known
    .filter((candidate) => candidate !== name)
    .map((candidate) => ({ candidate, edits: distance(lower, candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  if (best === undefined) return undefined;
  return best.edits <= Math.max(1, Math.floor(Math.max(name.length, best.candidate.length) * 0.4))
    ? best.candidate
    : undefined;
}

/** Names as a sentence lists them, shortened when they are many. */
export function listNames(names: readonly string[], shown = 16): string {
  if (names.length === 0) return 'nothing';
  const head = names.slice(0, shown).join(', ');
  return names.length > shown ? `${head} and ${names.length - shown} more` : head;
}
