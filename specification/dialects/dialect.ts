import type { z } from 'zod';
import type { Path } from '../path.ts';

/** A form of experiment files in use elsewhere, and how it reads as a spec. */
export interface Dialect<Form> {
  readonly form: 'batch' | 'pool';
  /** Keys that no other form has. */
  readonly marks: readonly string[];
  readonly schema: z.ZodType<Form>;
  /** @param fileName without folder and ending @param simulators names of the catalogue of the family */
  translate(document: Form, source: { readonly fileName: string; readonly simulators: readonly string[] }): unknown;
  /** Place in the spec → key of the form that it comes from; the longest place that fits counts. */
  readonly origins: readonly (readonly [place: Path, key: string])[];
}

/** Both forms speak of one world: three agents, of which the simulator's partner holds the last seat. */
export const FORM_WORLD = {
  family: 'simple_spread',
  family_options: { agents: 3 },
  learners: [0, 1],
} as const;

export const FORM_ROUNDS = 20;
