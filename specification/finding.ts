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

export function problemFrom(finding: Finding): Problem {
  return { ...finding, code: finding.code ?? 'REQUEST_INVALID_SPEC', path: formatPath(finding.path) };
}
