import type { ErrorCode } from '../schemas/error-catalogue.ts';
import type { Problem } from '../schemas/problem.ts';
import { formatPath, type Path } from './path.ts';

/** A problem while it is looked for: its place is still a path, so that it can be moved and compared. */
export interface Finding extends Omit<Problem, 'path' | 'code'> {
  readonly code?: ErrorCode;
  readonly path: Path;
}

const SHOWN_LENGTH = 80;

/** A value as a problem shows it: JSON, cut when long, with its type when the type is the point. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

/** What a terminal would take as a command, or as the order to write from right to left. */
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const TEXT_LENGTH = 500;

/** Text of a spec in a message: on one line, of a length that can be read, and without what cannot be seen. */
function legible(text: string): string {
  const shown = text.length > TEXT_LENGTH ? `${text.slice(0, TEXT_LENGTH)}…` : text;
  return shown.replaceAll(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function problemFrom(finding: Finding): Problem {
  return {
    ...finding,
    code: finding.code ?? 'REQUEST_INVALID_SPEC',
    path: legible(formatPath(finding.path)),
    found: legible(finding.found),
    remedy: legible(finding.remedy),
  };
}
