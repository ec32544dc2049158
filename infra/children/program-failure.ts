/** How a program ended that a training process had started. */
export interface ProgramEnd {
  readonly processId: number | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A program that ended without what was expected of it. What class of failure that is, whoever watches its memory knows. */
export class ProgramFailure extends Error {
  readonly end: ProgramEnd;

  constructor(message: string, end: ProgramEnd) {
    super(message);
    this.name = 'ProgramFailure';
    this.end = end;
  }
}
