import { unknown, type EvidenceItem, type Finding, type KnownProblem } from './contract.ts';
import { counted, figure } from './figures.ts';
import type { VariantHistory } from './history.ts';

/** Attempts were killed because their process grew beyond its limit of memory. */
export const outOfMemory: KnownProblem = {
  id: 'out_of_memory',
  sign: 'attempts are killed',
  remedy:
    'Fewer samplers and a smaller chunk of work need less memory: execution.sampler_processes, ' +
    'algorithm.parallel_environments (which changes results). Or raise the limit, execution.memory_mib.',
  examine,
};

/** The samplers and the chunks are ours, and such a variant has none of them. */
const REMEDY_ELSEWHERE =
  'Let the program of the trainer hold less, e.g. fewer environments at once, a smaller batch or a smaller buffer ' +
  '(trainer.settings). Or raise the limit, execution.memory_mib, which is for the training process and the program together.';

function examine({ runs, memoryLimitMib, isTrainedElsewhere }: VariantHistory): Finding {
  const attempts = runs.flatMap((run) => run.attempts.map((attempt) => ({ ...attempt, seed: run.seed })));
  if (attempts.length === 0) return unknown('No attempt has ended yet.');
  const killed = attempts.filter(({ outcome }) => outcome === 'out_of_memory');
  const peaks = attempts.flatMap(({ peakRssMib }) => (peakRssMib === null ? [] : [peakRssMib]));
  const peak = peaks.length === 0 ? null : Math.max(...peaks);
  const limit = `the limit of ${figure(memoryLimitMib)} MiB`;
  if (killed.length === 0) {
    return {
      found: 'no',
      headline: `None of ${counted(attempts.length, 'attempt')} ran out of memory; the largest took ${peak === null ? 'an unknown amount' : `${figure(peak)} MiB`} of ${limit}.`,
      evidence: [{ what: 'largest resident memory', value: peak, unit: 'MiB', limit: memoryLimitMib }],
    };
  }
  return {
    found: 'yes',
    ...(isTrainedElsewhere ? { remedy: REMEDY_ELSEWHERE } : {}),
    headline: `${killed.length} of ${counted(attempts.length, 'attempt')} ran out of memory, at ${limit}.`,
    evidence: killed.map(({ seed, number, kind, round, peakRssMib }): EvidenceItem => ({
      what: `seed ${seed}, attempt ${number} (${kind} of round ${round}): peak resident memory`,
      value: peakRssMib,
      unit: 'MiB',
      limit: memoryLimitMib,
    })),
  };
}
