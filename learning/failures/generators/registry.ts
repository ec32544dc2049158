import type { CandidateGenerator } from './contract.ts';
import { createEdits } from './edits/edits.ts';
import { EDIT_KINDS, type EditKind } from './edits/registry.ts';
import { learned } from './learned.ts';

/** By the name that options use. @param kinds what is changed, for those that change data in named ways */
const FACTORIES: Readonly<Record<string, (kinds: readonly EditKind[]) => CandidateGenerator>> = {
  edits: createEdits,
  learned: () => learned,
};

/** Every way of making simulators out of mined failures, all kinds of edits on. */
export const GENERATORS: Readonly<Record<string, CandidateGenerator>> = Object.fromEntries(
  Object.entries(FACTORIES).map(([name, create]) => [name, create(EDIT_KINDS)]),
);

/** @param name in `GENERATORS` */
export function createGenerator(name: string, kinds: readonly EditKind[]): CandidateGenerator {
  return FACTORIES[name]!(kinds);
}
