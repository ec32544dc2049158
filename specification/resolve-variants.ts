import { settingSchema } from '../schemas/experiment.ts';
import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import { checkRemovals } from './check-removals.ts';
import { createSchemaCheck, type SchemaCheck } from './check-schema.ts';
import type { Finding } from './finding.ts';
import { type JsonSchema, jsonSchemaFrom } from './json-schema.ts';
import { mergeDocuments } from './merge.ts';
import { openFamily } from './open-family.ts';
import { placeInVariants } from './place-findings.ts';
import { type HeadRead, SETTING_KEYS, unknownOverrideKeys } from './read-head.ts';
import { checkBase, checkLearners, resolveVariant, type VariantContext } from './resolve-variant.ts';
import { resolveSpecialists, type SpecialistsRead } from './specialists.ts';

/** The variants of a spec: those that are written, and those that it asks for. */
export interface VariantsRead {
  readonly variants: Readonly<Record<string, ResolvedVariant>>;
  readonly specialists: SpecialistsRead['kinds'];
  readonly findings: readonly Finding[];
}

/** Every variant merged into the experiment and resolved, and what is wrong in any of them. @param base the experiment alone */
export function resolveVariants(base: Record<string, unknown>, read: HeadRead, context: VariantContext): VariantsRead {
  const shared = [...checkLearners(base, context), ...checkBase(base, context)];
  if (read.overrides === null) {
    // Without a variant nothing can run, but what stands in the spec can be checked, except for what is missing in it.
    const { findings } = resolveVariant(base, context);
    return {
      variants: {},
      specialists: {},
      findings: [...shared, ...findings.filter(({ found }) => found !== 'nothing')],
    };
  }
  const results = Object.entries(read.overrides).map(([name, override]) => {
    const known = Object.fromEntries(Object.entries(override).filter(([key]) => SETTING_KEYS.includes(key)));
    const { world, schema } = worldOfVariant(base, known, context);
    const result = resolveVariant(mergeDocuments(base, known, schema) as Record<string, unknown>, context);
    const parameters = world.parameters.map((parameter) => parameter.path);
    const idle = checkRemovals(base, known, schema, parameters).map((finding) => ({
      ...finding,
      path: ['variants', name, ...finding.path],
    }));
    return { name, override, unknown: [...unknownOverrideKeys(name, override), ...idle], ...result };
  });
  const written = Object.fromEntries(
    results.flatMap(({ name, variant }) => (variant === null ? [] : [[name, variant] as const])),
  );
  const specialists = resolveSpecialists({ base, read, written, context });
  return {
    variants: { ...written, ...specialists.variants },
    specialists: specialists.kinds,
    findings: [
      ...shared,
      ...results.flatMap(({ unknown }) => unknown),
      ...placeInVariants(base, results),
      ...specialists.findings,
    ],
  };
}

/** Options of the family are merged first: which keys a kind has depends on the world they open. */
function worldOfVariant(
  base: Record<string, unknown>,
  override: Record<string, unknown>,
  { family, settingSchemas }: VariantContext,
) {
  const options = mergeDocuments(base.family_options, override.family_options ?? {}, {});
  const { world } = openFamily(family, options);
  return { world, schema: settingSchemas.schemaOf(world) };
}

/** Made when first needed. */
let envelope: { readonly schema: JsonSchema; readonly check: SchemaCheck } | undefined;

function envelopeCheck() {
  if (envelope !== undefined) return envelope;
  const schema = jsonSchemaFrom(settingSchema);
  envelope = { schema, check: createSchemaCheck(schema) };
  return envelope;
}

/** Without a family only the envelope can be checked. */
export function envelopeOnly(base: Record<string, unknown>, { overrides }: HeadRead): VariantsRead {
  const { schema, check } = envelopeCheck();
  const settings = Object.entries(overrides ?? {}).map(([name, override]) => ({
    name,
    override,
    findings: check(mergeDocuments(base, override, schema)),
  }));
  return { variants: {}, specialists: {}, findings: placeInVariants(base, settings) };
}
