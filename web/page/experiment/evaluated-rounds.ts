import type { ShownExperiment } from './experiment-frame.tsx';

/** After how many rounds the runs of an experiment are evaluated, ascending: at the start, every so many, and at the end. */
export function evaluatedRounds({ variants, resolved }: Pick<ShownExperiment, 'variants' | 'resolved'>): number[] {
  const settings = resolved['variants'] as
    Readonly<Record<string, { evaluation?: { every_rounds?: number } }>> | undefined;
  const rounds = new Set<number>();
  for (const { name, rounds: last } of variants) {
    const every = settings?.[name]?.evaluation?.every_rounds ?? last;
    for (let round = 0; round < last; round += every) rounds.add(round);
    rounds.add(last);
  }
  return [...rounds].sort((a, b) => a - b);
}
