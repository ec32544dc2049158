import type { ErrorCode } from './error-catalogue.ts';

/** One thing that is wrong in a document, with all that its author needs to mend it. */
export interface Problem {
  readonly code: ErrorCode;
  /** Where, as `panels.test[0]` or `randomization["rules.damping"]`; empty for the document itself. */
  readonly path: string;
  /** What stands there. */
  readonly found: string;
  /** What could stand there. */
  readonly expected: string;
  /** The known key or name that is spelt most alike. */
  readonly nearest?: string;
  /** What to do, as a sentence. */
  readonly remedy: string;
  /** The variants in which it is wrong, when it is not wrong in all of them. */
  readonly variant?: string;
}
