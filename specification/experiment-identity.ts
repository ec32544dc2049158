import type { ResolvedExperiment } from '../schemas/resolved-experiment.ts';
import { contentHash } from './identity.ts';

/** Where a run goes on from: the identity of its parent, and how many of its rounds it takes over. */
export interface Origin {
  readonly variantHash: string;
  readonly round: number;
}

/**
 * Identity of an experiment: what it is called, what it can measure and with which seeds; of one whose runs go on from
 * others, from which as well.
 * @param origins of the runs that were forked, in the order of the runs
 */
export function experimentHash(
  { name, result_hash, seeds }: Pick<ResolvedExperiment, 'name' | 'result_hash' | 'seeds'>,
  origins: readonly Origin[] = [],
): string {
  return contentHash({ name, result_hash, seeds, ...(origins.length === 0 ? {} : { origins }) });
}

/** The id that an experiment gets when it is stored: its name, and the beginning of its identity. */
export function experimentId(name: string, identityHash: string): string {
  return `${name}-${identityHash.slice(0, 8)}`;
}

/** Identity of a variant whose run goes on from another: its result depends on where that had come to. */
export function forkedVariantHash(variantHash: string, origin: Origin): string {
  return contentHash({ variant: variantHash, origin });
}
