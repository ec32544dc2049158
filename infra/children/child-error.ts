import type { ErrorCode } from '../../schemas/error-catalogue.ts';
import { isThawError, ThawError } from '../../schemas/errors.ts';
import { type ProgramEnd, ProgramFailure } from './program-failure.ts';
import type { ChildError } from './protocol.ts';

/** A message may quote what it is about, however large; rows, logs and histories of workflows keep it. */
const MESSAGE_CHARACTERS_MAX = 2_000;
const STACK_CHARACTERS_MAX = 8_000;

/** An error for whoever is told of it in another process or thread; of one that is very long its beginning and its end. */
export function errorAsData(error: unknown): ChildError {
  const stack = error instanceof Error && error.stack !== undefined ? bounded(error.stack, STACK_CHARACTERS_MAX) : null;
  const message = bounded(isThawError(error) ? error.message : String(error), MESSAGE_CHARACTERS_MAX);
  if (isThawError(error)) {
    const program = error.details['program'] as ProgramEnd | undefined;
    return { code: error.code, kind: error.kind, message, stack, ...(program === undefined ? {} : { program }) };
  }
  if (error instanceof ProgramFailure) {
    const { message: told, end } = error;
    return {
      code: 'WORLD_CHILD_DIED',
      kind: 'world',
      message: bounded(told, MESSAGE_CHARACTERS_MAX),
      stack: null,
      program: end,
    };
  }
  return { code: 'DEFECT_INVARIANT', kind: 'defect', message, stack };
}

/** Says how much of a text was left out of its middle. */
function bounded(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const kept = Math.floor(charactersMax / 2);
  return `${text.slice(0, kept)} … ${text.length - 2 * kept} characters left out … ${text.slice(-kept)}`;
}

/** The error that was told of, to be thrown here; its stack is that of the place where it arose. */
export function errorFromData({ code, message, stack }: ChildError): ThawError {
  const error = new ThawError(code as ErrorCode, message);
  if (stack !== null) error.stack = stack;
  return error;
}
