import { CommanderError } from 'commander';
import { isThawError } from '../../schemas/errors.ts';
import { EXIT, exitCodeFromKind, type ExitCode } from './exit-codes.ts';
import { colorsFor, note } from '../terminal/terminal.ts';

/** Tells a failure on standard error: what happened, where, what to do. The one place that does. @returns exit code */
export function reportError(error: unknown): ExitCode {
  // The parser has written its own message; help and version are no failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.request;
  note(describeError(error));
  return isThawError(error) ? exitCodeFromKind(error.kind) : EXIT.defect;
}

/** The text of a failure; a defect with its stack and causes, because a programmer has to act. */
export function describeError(error: unknown): string {
  const { red, dim } = colorsFor(process.stderr);
  if (!isThawError(error)) return `${red('defect')}: ${stackOf(error)}\n  remedy  Report it: this is a fault of Thaw.`;
  const lines = [
    `${red(error.kind === 'defect' ? 'defect' : 'error')}: ${error.message}`,
    `  remedy  ${error.remedy}`,
    `  ${dim(error.code)}`,
  ];
  if (error.kind === 'defect') lines.push(stackOf(error));
  return lines.join('\n');
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\ncaused by ${stackOf(error.cause)}`;
}
