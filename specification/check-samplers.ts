import type { Execution, ResolvedVariant } from '../schemas/resolved-experiment.ts';
import type { Finding } from './finding.ts';

/**
 * Samplers share the environments of an update block; more of them than environments would have none to play.
 * @param execution undefined when it is not valid itself
 */
export function checkSamplers(
  execution: Pick<Execution, 'sampler_processes'> | undefined,
  variants: Readonly<Record<string, ResolvedVariant>>,
): Finding[] {
  const asked = execution?.sampler_processes ?? 1;
  // As many as pay are never too many.
  if (asked === 'auto') return [];
  const short = Object.entries(variants).filter(([, { algorithm }]) => algorithm.parallel_environments < asked);
  if (short.length === 0) return [];
  const least = Math.min(...short.map(([, { algorithm }]) => algorithm.parallel_environments));
  return [
    {
      path: ['execution', 'sampler_processes'],
      ...(short.length < Object.keys(variants).length && { variant: short.map(([name]) => name).join(', ') }),
      found: String(asked),
      expected: `at most ${least}, the algorithm.parallel_environments that samplers share`,
      remedy: `Lower it to ${least}, or raise algorithm.parallel_environments, which changes results.`,
    },
  ];
}
