import path from 'node:path';
import { ThawError } from '../../schemas/errors.ts';
import type { Problem } from '../../schemas/problem.ts';
import type { ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import type { World } from '../../simulators/contract.ts';
import { openWorld } from '../../specification/open-world.ts';
import { parsePanel } from '../../specification/parse-panel.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import type { PolicyFiles } from '../policies/policy-files.ts';
import { unknownName } from '../simulators/open-world.ts';
import { readSpecFiles } from '../specs/spec-files.ts';

/** What a policy is judged by. */
export interface ReadPanel {
  readonly name: string;
  readonly resolved: ResolvedVariant;
  readonly world: World;
  /** Policies of partners that the file names by their files. */
  readonly partners: PolicyFiles;
}

export interface PanelRequest {
  /** A file of panels, or an experiment, of which they are taken. */
  readonly panel: string;
  /** Whose panels, where variants of an experiment have others. */
  readonly variant?: string | undefined;
  /** Of each simulator; as many as at the end of a run when absent. */
  readonly episodes?: number | undefined;
  /** Of the evaluation; the panel's own when absent. */
  readonly seed?: number | undefined;
}

/**
 * @returns or everything that is wrong with the file
 * @throws REQUEST_BAD_ARGUMENT when it does not tell which variant's panels are meant
 */
export async function readPanel(request: PanelRequest): Promise<ReadPanel | { readonly problems: readonly Problem[] }> {
  const { panel: file, variant, episodes, seed } = request;
  const fileName = path.basename(file, path.extname(file));
  const [read] = await readSpecFiles([file], [], { parse: (text) => parsePanel(text, fileName) });
  if (!read!.ok) return { problems: read!.problems };
  const { experiment, policies } = read!;
  const chosen = chooseVariant(experiment.variants, variant);
  const { evaluation } = chosen;
  const resolved = {
    ...chosen,
    evaluation: {
      ...evaluation,
      seed: seed ?? evaluation.seed,
      // What is asked beside the panels needs no more than these.
      episodes: Math.min(evaluation.episodes, episodes ?? Infinity),
      final_episodes: episodes ?? evaluation.final_episodes,
    },
  };
  return { name: experiment.name, resolved, world: openWorld(resolved, DEFAULT_REGISTRIES), partners: policies };
}

/** The named variant; without a name any, where a policy would be judged alike by all. */
function chooseVariant(variants: Readonly<Record<string, ResolvedVariant>>, name: string | undefined): ResolvedVariant {
  const names = Object.keys(variants);
  if (name !== undefined && !Object.hasOwn(variants, name)) throw unknownName('variant', name, names);
  if (name !== undefined) return variants[name]!;
  const [first, ...others] = Object.values(variants);
  if (others.every((other) => judgedBy(other) === judgedBy(first!))) return first!;
  throw new ThawError(
    'REQUEST_BAD_ARGUMENT',
    `The variants of this experiment have different panels, options or limits: ${names.join(', ')}.`,
    { remedy: `Say whose are meant, e.g. --variant ${names[0]!}.` },
  );
}

/** Equal for variants by which a policy would be judged alike. */
function judgedBy({ family_options, panels, simulators, evaluation, verdict }: ResolvedVariant): string {
  const used = Object.values(panels).flatMap((names) => names.map((each) => simulators[each]));
  return JSON.stringify([family_options, panels, used, evaluation, verdict]);
}
