import type { ErrorCode } from '../../schemas/error-catalogue.ts';
import { isThawError, ThawError } from '../../schemas/errors.ts';
import type { ChildError } from './protocol.ts';

/** An error for whoever is told of it in another process or thread. */
export function errorAsData(error: unknown): ChildError {
  const stack = error instanceof Error ? (error.stack ?? null) : null;
  if (isThawError(error)) return { code: error.code, kind: error.kind, message: error.message, stack };
  return { code: 'DEFECT_INVARIANT', kind: 'defect', message: String(error), stack };
}

/** The error that was told of, to be thrown here; its stack is that of the place where it arose. */
export function errorFromData({ code, message, stack }: ChildError): ThawError {
  const error = new ThawError(code as ErrorCode, message);
  if (stack !== null) error.stack = stack;
  return error;
}
