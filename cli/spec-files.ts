import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Problem } from '../schemas/problem.ts';
import type { ResolvedExperiment } from '../schemas/resolved-experiment.ts';
import { parseDocument } from '../specification/parse-document.ts';
import { embedPolicies, misfitPolicies, type PolicyFiles } from './embed-policies.ts';
import { DEFAULT_REGISTRIES } from '../specification/registries.ts';
import { resolveExperiment, type ResolveContext } from '../specification/resolve.ts';

/** A file that holds a valid experiment. */
export interface ValidSpec {
  readonly ok: true;
  readonly file: string;
  /** The spec with what was set and with policies by their hash: by itself it becomes the same experiment. */
  readonly document: unknown;
  readonly experiment: ResolvedExperiment;
  /** What it asks for and this version cannot start. */
  readonly unavailable: readonly Problem[];
  /** Policies that it names by file. */
  readonly policies: PolicyFiles;
}

export interface InvalidSpec {
  readonly ok: false;
  readonly file: string;
  readonly problems: readonly Problem[];
}

export type SpecFile = ValidSpec | InvalidSpec;

/** What of reading specs is not the rule. */
type ReadOptions = Pick<ResolveContext, 'acceptsCloseSimulators'>;

/** Reads and resolves every file; what is wrong with one is told beside what is wrong with the others. */
export function readSpecFiles(
  files: readonly string[],
  overrides: readonly string[],
  options: ReadOptions = {},
): Promise<SpecFile[]> {
  return Promise.all(files.map((file) => readSpecFile(file, overrides, options)));
}

async function readSpecFile(file: string, overrides: readonly string[], options: ReadOptions): Promise<SpecFile> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return { ok: false, file, problems: [unreadable(error as NodeJS.ErrnoException)] };
  }
  const parsed = parseDocument(text);
  if (!parsed.ok) return { ok: false, file, problems: parsed.problems };
  const { document, policies, problems } = await embedPolicies(parsed.document, path.dirname(file));
  if (problems.length > 0) return { ok: false, file, problems };
  const fileName = path.basename(file, path.extname(file));
  const resolution = resolveExperiment(document, {
    fileName,
    overrides,
    registries: DEFAULT_REGISTRIES,
    ...options,
  });
  if (!resolution.ok) return { ok: false, file, problems: resolution.problems };
  const { experiment, unavailable, document: written } = resolution;
  const misfits = await misfitPolicies(experiment, policies);
  if (misfits.length > 0) return { ok: false, file, problems: misfits };
  return { ok: true, file, document: written, experiment, unavailable, policies };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'a folder',
  EACCES: 'a file that may not be read',
};

function unreadable(error: NodeJS.ErrnoException): Problem {
  return {
    code: 'REQUEST_FILE_UNREADABLE',
    path: '',
    found: REASONS[error.code ?? ''] ?? error.message,
    expected: 'a file with an experiment as JSON',
    remedy: 'Check the path, and that you may read it.',
  };
}
