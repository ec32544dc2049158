import path from 'node:path';
import { ThawError } from '../../schemas/errors.ts';
import type { Problem } from '../../schemas/problem.ts';
import type { ResolvedExperiment } from '../../schemas/resolved-experiment.ts';
import { parseDocument, type ParsedDocument } from '../../specification/parse-document.ts';
import { mapAtMost } from '../at-most.ts';
import { embedPolicies, misfitPolicies } from './embed-policies.ts';
import type { PolicyFiles } from '../policies/policy-files.ts';
import { embedTrainers } from './embed-trainers.ts';
import type { ImportLookup } from '../imports/import-lookup.ts';
import { usableDevices } from '../../infra/executors.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { resolveExperiment, type ResolveContext } from '../../specification/resolve.ts';
import { readSpecText } from './read-spec-text.ts';

/** A file that holds a valid experiment. */
export interface ValidSpec {
  readonly ok: true;
  readonly file: string;
  /** The spec with what was set and with policies by their hash: by itself it becomes the same experiment. */
  readonly document: unknown;
  readonly experiment: ResolvedExperiment;
  /** What it asks for and this version cannot start. */
  readonly unavailable: readonly Problem[];
  /** Policies, and programs that train, that it names by file. */
  readonly policies: PolicyFiles;
  /** Imports that it names and nobody could be asked about; something stands in for them, and it cannot be started. */
  readonly unchecked?: readonly string[];
}

export interface InvalidSpec {
  readonly ok: false;
  readonly file: string;
  readonly problems: readonly Problem[];
}

export type SpecFile = ValidSpec | InvalidSpec;

/** What of reading specs is not the rule. */
interface ReadOptions extends Pick<ResolveContext, 'acceptsCloseSimulators'> {
  /** What the text of a file means; the JSON that it is when absent. */
  readonly parse?: (text: string) => ParsedDocument;
  /** Who is asked about imports; services that are started for it when absent. */
  readonly imports?: ImportLookup;
}

/** Files of one command. */
export const FILES_MAX = 10_000;
/** Files that are open at the same time. */
const OPEN_FILES_MAX = 16;

/**
 * Reads and resolves every file; what is wrong with one is told beside what is wrong with the others.
 * @throws REQUEST_BAD_ARGUMENT when there are more files than a command takes
 */
export async function readSpecFiles(
  files: readonly string[],
  overrides: readonly string[],
  options: ReadOptions = {},
): Promise<SpecFile[]> {
  if (files.length > FILES_MAX) {
    throw new ThawError(
      'REQUEST_BAD_ARGUMENT',
      `${files.length} files; expected at most ${FILES_MAX} in one command.`,
      {
        remedy: 'Name fewer files, and call the command again for the others.',
      },
    );
  }
  return mapAtMost(OPEN_FILES_MAX, files, (file) => readSpecFile(file, overrides, options));
}

async function readSpecFile(
  file: string,
  overrides: readonly string[],
  { parse = parseDocument, imports, ...options }: ReadOptions,
): Promise<SpecFile> {
  const read = await readSpecText(file);
  if (!read.ok) return { ok: false, file, problems: [read.problem] };
  const parsed = parse(read.text);
  if (!parsed.ok) return { ok: false, file, problems: parsed.problems };
  const folder = path.dirname(file);
  const embedded = await embedPolicies(parsed.document, folder, imports);
  const { document, files: programs, problems } = await embedTrainers(embedded.document, folder);
  const unreadable = [...embedded.problems, ...problems];
  if (unreadable.length > 0) return { ok: false, file, problems: unreadable };
  const fileName = path.basename(file, path.extname(file));
  const resolution = resolveExperiment(document, {
    fileName,
    overrides,
    registries: { ...DEFAULT_REGISTRIES, devices: usableDevices() },
    ...options,
  });
  if (!resolution.ok) return { ok: false, file, problems: resolution.problems };
  const { experiment, unavailable, document: written } = resolution;
  const misfits = await misfitPolicies(experiment, embedded.policies);
  if (misfits.length > 0) return { ok: false, file, problems: misfits };
  const policies = new Map([...embedded.policies, ...programs]);
  return { ok: true, file, document: written, experiment, unavailable, policies, unchecked: embedded.unchecked };
}
