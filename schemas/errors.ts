import { ERROR_CATALOGUE, type ErrorCode, type ErrorKind } from './error-catalogue.ts';

/** The one error class. Across a process or network border compare `code`, never the class. */
export class ThawError extends Error {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly remedy: string;
  readonly details: Readonly<Record<string, unknown>>;

  /**
   * @param code an entry of the catalogue; it fixes the kind, the general message and the remedy
   * @param message what happened here, naming the value and the place; the catalogue's message when left out
   */
  constructor(
    code: ErrorCode,
    message?: string,
    options: { details?: Record<string, unknown>; cause?: unknown; remedy?: string } = {},
  ) {
    const entry = ERROR_CATALOGUE[code];
    super(message ?? entry.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = code;
    this.code = code;
    this.kind = entry.kind;
    this.remedy = options.remedy ?? entry.remedy;
    this.details = options.details ?? {};
  }
}

/** Whether a caught value is one of ours, also after it crossed a border that kept only its fields. */
export function isThawError(value: unknown): value is ThawError {
  return value instanceof Error && 'code' in value && 'kind' in value && String(value.code) in ERROR_CATALOGUE;
}
