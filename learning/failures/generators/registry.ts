import type { CandidateGenerator } from './contract.ts';
import { createEdits } from './edits/edits.ts';
import { EDIT_KINDS } from './edits/registry.ts';
import { learned } from './learned.ts';

/** Every way of making simulators out of mined failures, by the name that options use; edits with all kinds on. */
export const GENERATORS: Readonly<Record<string, CandidateGenerator>> = {
  edits: createEdits(EDIT_KINDS),
  learned,
};
