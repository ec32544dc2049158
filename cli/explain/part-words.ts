import { branchesOf } from '../../specification/choose-branch.ts';
import type { JsonSchema } from '../../specification/json-schema.ts';
import type { Registries } from '../../specification/registries.ts';
import { propertiesOf } from './find-part.ts';

/** Keys that cannot change what comes out. */
const CHANGES_NOTHING = [
  '$schema',
  'spec_version',
  'name',
  'description',
  'labels',
  'seeds',
  'execution',
  'output_dir',
];
/** Keys that hold for the whole experiment, and can change what comes out. */
const WHOLE_EXPERIMENT = ['family', 'learners', 'variants', 'specialists'];

/** Where a key may stand, and what another value means. @param path without a variant before it */
export function placeWords([first]: readonly string[]): string {
  if (first === undefined) return 'In a file of its own, which `thaw run FILE` reads.';
  if (first === 'seeds') return 'In the experiment only. Every variant is trained once with every seed.';
  if (CHANGES_NOTHING.includes(first)) return 'In the experiment only. Whatever it is, results stay the same.';
  if (WHOLE_EXPERIMENT.includes(first)) return 'In the experiment only: it holds for all variants.';
  return 'In the experiment, or in a variant for that variant alone. Runs with another value are other runs.';
}

/** The page that tells more of it. */
export function guideOf([first]: readonly string[], family: string, { families }: Registries): string {
  if (first === 'strategy') return 'docs/guides/strategies.md';
  if (first !== undefined && ['family', 'family_options', 'simulators'].includes(first)) {
    const isBridged = families[family]?.placeholder !== undefined;
    return isBridged ? 'docs/guides/python-environments.md' : `docs/simulators/${family}.md`;
  }
  return 'docs/guides/experiments.md';
}

/** What the names that may stand at a key mean, where there are words for it. */
export function choiceWords(
  path: readonly string[],
  family: string,
  registries: Registries,
): Readonly<Record<string, string>> {
  const summaries = (entries: Readonly<Record<string, { readonly summary: string }>>) =>
    Object.fromEntries(Object.entries(entries).map(([name, { summary }]) => [name, summary]));
  const [first] = path;
  const last = path.at(-1);
  if (last === 'family') return summaries(registries.families);
  if (first === 'strategy' && (last === 'strategy' || last === 'kind')) return summaries(registries.strategies);
  if (first === 'algorithm' && (last === 'algorithm' || last === 'name')) return algorithmWords(registries);
  if (first === 'simulators') return registries.families[family]!.card.policies;
  return {};
}

function algorithmWords({ algorithms }: Registries): Record<string, string> {
  const entries = Object.values(algorithms).flatMap(({ name, aliases, summary }) => [
    [name, summary] as const,
    ...aliases.map((alias) => [alias, `another name of ${name}`] as const),
  ]);
  return Object.fromEntries(entries);
}

/** Alternatives of a part with the values that choose them; null where there is one only. */
export function alternativesOf(
  schema: JsonSchema,
): readonly { readonly value: string; readonly schema: JsonSchema }[] | null {
  const branches = branchesOf(schema, '').map((branch) => branch.schema);
  const objects = branches.filter(({ type }) => type === 'object');
  if (objects.length < 2) return null;
  const textsOf = (branch: JsonSchema, key: string) => {
    const { const: only, enum: several } = propertiesOf(branch)[key] ?? {};
    return (Array.isArray(several) ? (several as unknown[]) : only === undefined ? [] : [only]).map(String);
  };
  const kinds = new Set(objects.map((branch) => textsOf(branch, 'kind').join()));
  return objects.flatMap((branch) => {
    const isToldByKind =
      kinds.size > 1 &&
      objects.filter((other) => textsOf(other, 'kind').join() === textsOf(branch, 'kind').join()).length === 1;
    const values = isToldByKind ? textsOf(branch, 'kind') : textsOf(branch, 'name');
    return values.map((value) => ({ value, schema: branch }));
  });
}
