import type { Edit } from './contract.ts';
import { partner } from './partner.ts';
import { rules } from './rules.ts';
import { start } from './start.ts';

/** Every way of changing the data of a failing simulator, by the name that options use. */
export const EDITS = { start, partner, rules } as const satisfies Readonly<Record<string, Edit>>;

export type EditKind = keyof typeof EDITS;

export const EDIT_KINDS = Object.keys(EDITS) as readonly EditKind[];
