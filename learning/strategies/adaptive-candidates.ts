import type { RandomStream } from '../../simulators/random.ts';
import type { Candidate, Evidence } from './contract.ts';
import { contentOf, drawCandidates } from './draw-candidates.ts';
import { editSimulator } from './edit-simulator.ts';
import type { BufferEntry } from './replay-buffer.ts';

/** How many new simulators there were in this run; each new one goes on counting. */
export interface NewCounts {
  /** Members of the train panel, and after them draws. */
  readonly introduced: number;
  readonly edited: number;
}

/**
 * Members of the train panel that were not introduced yet, and when all were, draws of `randomization` on them in turn.
 * @param known simulators that a draw shall not repeat
 */
export function introduce(
  evidence: Evidence,
  { count, introduced, known }: { count: number; introduced: number; known: readonly Candidate[] },
  random: RandomStream,
): Candidate[] {
  const { trainPanel, roundIndex } = evidence;
  const members = trainPanel
    .slice(introduced, introduced + count)
    .map((entry) => ({ ...entry, parents: [], origin: 'member of the train panel' }));
  const draws = {
    count: count - members.length,
    drawn: Math.max(0, introduced - trainPanel.length),
    known: known.map(({ simulator }) => simulator),
  };
  return [
    ...members,
    ...drawCandidates(evidence, draws, random).map((candidate) => ({
      ...candidate,
      origin: `${candidate.origin} in round ${roundIndex}`,
    })),
  ];
}

/** Edited children of entries, each parent drawn by its weight. @param weights shape of the entries; they sum to 1 */
export function editEntries(
  { randomization: ranges, parameters, roundIndex }: Evidence,
  edits: { entries: readonly BufferEntry[]; weights: readonly number[]; count: number; edited: number; scale: number },
  random: RandomStream,
): Candidate[] {
  const { entries, weights, count, edited, scale } = edits;
  return Array.from({ length: count }, (_, index): Candidate[] => {
    const parent = entries[drawIndex(weights, random.nextUniform())]!;
    const simulator = editSimulator(parent.simulator, { ranges, parameters, scale }, random);
    if (simulator === null) return [];
    const [origin] = parent.name.split('~');
    return [
      {
        name: `${origin}~e${edited + index + 1}`,
        simulator,
        parents: [parent.name],
        origin: `edited from ${parent.name} in round ${roundIndex}`,
      },
    ];
  }).flat();
}

/** The candidates that are unlike the known ones and unlike each other. */
export function unlike(candidates: readonly Candidate[], known: readonly Pick<Candidate, 'simulator'>[]): Candidate[] {
  const seen = new Set(known.map(({ simulator }) => contentOf(simulator)));
  return candidates.filter(({ simulator }) => {
    const content = contentOf(simulator);
    if (seen.has(content)) return false;
    seen.add(content);
    return true;
  });
}

/** @param uniform in [0, 1) */
function drawIndex(weights: readonly number[], uniform: number): number {
  let threshold = uniform;
  const found = weights.findIndex((weight) => (threshold -= weight) < 0);
  // Weights that sum to a little less than 1 leave a gap at the end.
  return found === -1 ? weights.findLastIndex((weight) => weight > 0) : found;
}
