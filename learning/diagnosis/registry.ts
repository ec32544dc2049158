import type { Diagnosis, KnownProblem } from './contract.ts';
import { evaluationNoisy } from './evaluation-noisy.ts';
import { generatorUndirected } from './generator-undirected.ts';
import type { VariantHistory } from './history.ts';
import { notReproducible } from './not-reproducible.ts';
import { outOfMemory } from './out-of-memory.ts';
import { overfitToSimulator } from './overfit-to-simulator.ts';
import { poolTooWide } from './pool-too-wide.ts';
import { trainingTimeGrows } from './training-time-grows.ts';

/** Every known problem, in the order in which they are told. */
export const KNOWN_PROBLEMS: readonly KnownProblem[] = [
  overfitToSimulator,
  poolTooWide,
  generatorUndirected,
  outOfMemory,
  notReproducible,
  trainingTimeGrows,
  evaluationNoisy,
];

/** Looks for every known problem in all runs of a variant together. */
export function diagnoseVariant(history: VariantHistory): Diagnosis[] {
  return KNOWN_PROBLEMS.map((problem) => ({ id: problem.id, remedy: problem.remedy, ...problem.examine(history) }));
}
