import type { Execution } from '../schemas/resolved-experiment.ts';

/** How many threads play the episodes of a run, and why as many. */
export interface SamplerChoice {
  readonly count: number;
  readonly why: string;
}

export interface SamplerSituation {
  /** Runs that are at work at the same time. */
  readonly runsAtOnce: number;
  readonly processors: number;
  readonly environments: number;
  /** Share of a run's time in which episodes are played, which samplers divide; the rest is the update. */
  readonly playedShare: number;
}

/**
 * Least share of a run's time that a thread must save to be worth it. Two samplers of the fastest world took 6 % longer
 * than one where they could have saved 5 %: docs/decisions/027.
 */
const SAVED_MIN = 0.15;

/**
 * With a share s of the time spent playing, n samplers take 1 − s + s/n of it at least. As many as there are processors
 * for a run, as long as the last of them saves enough; where runs alone keep the processors busy, one.
 * @source Amdahl 1967, Validity of the single processor approach
 */
export function chooseSamplers(asked: Execution['sampler_processes'], situation: SamplerSituation): SamplerChoice {
  const { count, why } = paying(situation);
  if (asked === 'auto' || asked === count) return { count, why };
  return { count: asked, why: `execution.sampler_processes says so; auto would take ${count}: ${why}` };
}

function paying({ runsAtOnce, processors, environments, playedShare }: SamplerSituation): SamplerChoice {
  const free = Math.min(Math.floor(processors / runsAtOnce), environments);
  if (free <= 1) return { count: 1, why: `runs keep the processors busy, ${runsAtOnce} at a time on ${processors}` };
  const saved = (count: number): number => playedShare * (1 - 1 / count);
  const share = `playing is about ${percent(playedShare)} of the time`;
  if (saved(free) < SAVED_MIN) {
    return { count: 1, why: `${share}, so ${free} would save ${percent(saved(free))} at best` };
  }
  return { count: free, why: `${share}, so ${free} save up to ${percent(saved(free))}` };
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;
