import { describeValue, type Finding } from './finding.ts';
import { parseDocument } from './parse-document.ts';
import { formatPath, isRecord, parsePath, type Path, withoutPaths } from './path.ts';

export interface Overridden {
  readonly document: unknown;
  readonly findings: readonly Finding[];
}

/** A word without quotes is taken as text, because shells eat quotes: `execution.device=cpu`. */
const BARE_WORD = /^[A-Za-z_./~][A-Za-z0-9_./~-]*$/;

/**
 * Applies `--set path=value` arguments to a document, in order. Values are JSON; null removes the key, except inside
 * variants, where it stays and removes what the variant would inherit.
 */
export function applyOverrides(document: unknown, overrides: readonly string[]): Overridden {
  const findings: Finding[] = [];
  const changed = overrides.reduce<unknown>((current, text) => {
    const assignment = parseAssignment(text);
    if ('found' in assignment) {
      findings.push(assignment);
      return current;
    }
    const result = assign(current, assignment.path, assignment.value);
    if (result.ok) return result.document;
    findings.push({
      path: assignment.path,
      found: `--set ${text}, but ${formatPath(result.at) || 'the document'} is ${describeValue(result.value)}`,
      expected: 'a path through objects and existing entries of arrays',
      remedy: 'Correct the path.',
    });
    return current;
  }, document);
  return { document: changed, findings };
}

function parseAssignment(text: string): { readonly path: Path; readonly value: unknown } | Finding {
  const separator = assignmentIndex(text);
  const path = separator < 0 ? null : parsePath(text.slice(0, separator));
  if (path === null) {
    const expected = 'path=value, e.g. budget.rounds=10 or randomization["rules.damping"]=[0.1,0.2]';
    return { path: [], found: `--set ${text}`, expected, remedy: 'Correct the argument.' };
  }
  const valueText = text.slice(separator + 1).trim();
  const parsed = parseDocument(valueText);
  if (parsed.ok) return { path, value: parsed.document };
  if (BARE_WORD.test(valueText)) return { path, value: valueText };
  const [problem] = parsed.problems;
  if (problem!.code !== 'REQUEST_NOT_JSON') {
    const { found, expected, remedy } = problem!;
    return { path, found: `--set ${text}, with ${found}`, expected, remedy };
  }
  const remedy = 'Write the value as JSON, and quote the argument for the shell.';
  return { path, found: `--set ${text}`, expected: 'a JSON value after "="', remedy };
}

/** The first "=" outside of a quoted key. */
function assignmentIndex(text: string): number {
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '"' && text[index - 1] !== '\\') isQuoted = !isQuoted;
    if (text[index] === '=' && !isQuoted) return index;
  }
  return -1;
}

type Assigned =
  | { readonly ok: true; readonly document: unknown }
  | { readonly ok: false; readonly at: Path; readonly value: unknown };

function assign(node: unknown, path: Path, value: unknown, walked: Path = []): Assigned {
  const [part, ...rest] = path;
  if (part === undefined) return { ok: true, document: value };
  const isEntry = Array.isArray(node) && /^[0-9]+$/.test(String(part)) && Number(part) < node.length;
  const container = node === undefined ? {} : node;
  if (!isEntry && (!isRecord(container) || typeof part === 'number' || part === '__proto__'))
    return { ok: false, at: walked, value: node };
  const child = isEntry ? (node as unknown[])[Number(part)] : own(container as Record<string, unknown>, String(part));
  const inner = assign(child, rest, value, [...walked, part]);
  if (!inner.ok) return inner;
  if (isEntry) return { ok: true, document: (node as unknown[]).with(Number(part), inner.document) };
  const isRemoved = inner.document === null && rest.length === 0 && walked[0] !== 'variants';
  if (isRemoved) return { ok: true, document: withoutPaths(container, [[part]]) };
  return { ok: true, document: { ...(container as object), [String(part)]: inner.document } };
}

function own(record: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
