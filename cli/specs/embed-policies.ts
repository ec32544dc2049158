import { createHash } from 'node:crypto';
import path from 'node:path';
import { describeModel, type PolicyModel } from '../../learning/rollout/partner-policies.ts';
import { isThawError } from '../../schemas/errors.ts';
import type { Problem } from '../../schemas/problem.ts';
import type { ResolvedExperiment, ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { embedImports } from '../imports/embed-imports.ts';
import { type ImportLookup, STARTING_LOOKUP } from '../imports/import-lookup.ts';
import type { PolicyFiles } from '../policies/policy-files.ts';
import { POLICY_BYTES_MAX, readLimited } from '../files/read-limited.ts';

/**
 * Puts the content's hash in the place of every policy file that a document names, because a simulator is what it
 * contains and not where that lies; and what was imported in the place of what names it.
 * @param folder that relative names count from
 * @returns also what nobody could be asked about
 */
export async function embedPolicies(
  document: unknown,
  folder: string,
  lookup: ImportLookup = STARTING_LOOKUP,
): Promise<{ document: unknown; policies: PolicyFiles; problems: Problem[]; unchecked: readonly string[] }> {
  const imported = await embedImports(document, lookup);
  const policies = new Map(imported.policies);
  const problems = [...imported.problems];
  const embed = async (value: unknown, place: string): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map((item, index) => embed(item, `${place}[${index}]`)));
    if (typeof value !== 'object' || value === null) return value;
    const record = value as Record<string, unknown>;
    const { file, ...others } = record;
    if (isPolicy(record, place) && typeof file === 'string' && record['artifact'] === undefined) {
      const limits = { bytesMax: POLICY_BYTES_MAX, isPlain: true };
      const bytes = await readLimited(path.resolve(folder, file), limits).catch((error: Error) => error);
      if (bytes instanceof Error) {
        problems.push(unreadable(place, file, bytes));
        return value;
      }
      const artifact = createHash('sha256').update(bytes).digest('hex');
      policies.set(artifact, bytes);
      return { ...others, artifact };
    }
    const entries = Object.entries(record).map(async ([key, inner]) => {
      return [key, await embed(inner, place === '' ? key : `${place}.${key}`)] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  };
  return { document: await embed(imported.document, ''), policies, problems, unchecked: imported.unchecked };
}

/** A partner says that it is one; what networks start from is known by its place. */
function isPolicy({ kind }: Record<string, unknown>, place: string): boolean {
  return kind === 'policy' || /(^|\.)algorithm\.transfer\.policies\.[^.]+$/.test(place);
}

/** Policies that do not fit the seat they are put on or the networks that are to start from them, before anything starts. */
export async function misfitPolicies(experiment: ResolvedExperiment, policies: PolicyFiles): Promise<Problem[]> {
  if (policies.size === 0) return [];
  const problems: Problem[] = [];
  for (const [name, variant] of Object.entries(experiment.variants)) {
    const transfer = await misfit('algorithm.transfer', 'policies that these networks can start from', async () => {
      const { tryTransfer } = await import('./misfit-transfer.ts');
      await tryTransfer(variant, policies);
    });
    for (const problem of [...(await misfitPartners(variant, policies)), ...(transfer === null ? [] : [transfer])]) {
      if (!problems.some(({ path: known }) => known === problem.path)) problems.push({ ...problem, variant: name });
    }
  }
  return problems;
}

async function misfitPartners(variant: ResolvedVariant, policies: PolicyFiles): Promise<Problem[]> {
  const { loadPolicy } = await import('../../infra/onnx/policy-model.ts');
  const world = openWorld(variant, DEFAULT_REGISTRIES);
  const problems: Problem[] = [];
  for (const [simulator, { partners }] of Object.entries(variant.simulators)) {
    for (const [seat, partner] of Object.entries(partners)) {
      const { artifact } = partner as { artifact?: string };
      const bytes = artifact === undefined ? undefined : policies.get(artifact);
      if (bytes === undefined) continue;
      const group = world.groups.findIndex(({ seats }) => seats.includes(Number(seat)));
      const place = `simulators.${simulator}.partners["${seat}"]`;
      const problem = await misfit(place, 'a policy that fits this seat', async () => {
        const model = await loadPolicy(bytes, 'the file');
        try {
          describeModel(world, group, model satisfies PolicyModel);
        } finally {
          await model.release();
        }
      });
      if (problem !== null) problems.push(problem);
    }
  }
  return problems;
}

async function misfit(place: string, expected: string, check: () => Promise<void>): Promise<Problem | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (!isThawError(error)) throw error;
    return {
      code: 'REQUEST_INVALID_SPEC',
      path: place,
      found: error.message,
      expected,
      remedy: error.remedy,
    };
  }
}

function unreadable(place: string, file: string, error: Error): Problem {
  return {
    code: 'REQUEST_FILE_UNREADABLE',
    path: `${place}.file`,
    found: `"${file}": ${error.message}`,
    expected: 'an ONNX file, relative to the folder of the spec',
    remedy: 'Check the path. `thaw run` writes policies to `policies/` in the output folder of an experiment.',
  };
}
