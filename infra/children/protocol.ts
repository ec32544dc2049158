import type { ErrorKind } from '../../schemas/error-catalogue.ts';
import type { ProgramEnd } from './program-failure.ts';

/** Parent → child. One request is under way at a time. */
export interface ChildRequest {
  readonly id: number;
  readonly kind: string;
  readonly payload: unknown;
}

/** Child → parent. */
export type ChildMessage =
  { readonly type: 'ready' } | { readonly type: 'progress'; readonly id: number; readonly value: number } | ChildAnswer;

/** The one message that ends a request. */
export type ChildAnswer =
  | { readonly type: 'done'; readonly id: number; readonly result: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly error: ChildError };

/** An error on its way between processes: classes do not survive, codes do. */
export interface ChildError {
  readonly code: string;
  readonly kind: ErrorKind;
  readonly message: string;
  readonly stack: string | null;
  /** Present where a program that it had started failed, and not itself. */
  readonly program?: ProgramEnd;
}
