import { z } from 'zod';
import { experimentSchema, settingSchema } from '../schemas/experiment.ts';
import { panelSchema } from '../schemas/panel.ts';
import type { settingShape } from '../schemas/experiment-setting.ts';
import type { Family, World } from '../simulators/contract.ts';
import { defaultWorld } from './open-family.ts';
import type { Registries } from './registries.ts';
import { isRecord } from './path.ts';

/** A JSON Schema of the 2020-12 draft, or a part of one. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The input side of a zod schema: keys with a default are not required. */
export function jsonSchemaFrom(schema: z.ZodType): JsonSchema {
  return withoutKeywords(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), ['$schema']);
}

/** Schema of a whole setting (a variant merged into its experiment) in one world. */
export function settingJsonSchema(world: World, registries: Registries): JsonSchema {
  const envelope = jsonSchemaFrom(settingSchema);
  return { ...envelope, properties: { ...(envelope.properties as JsonSchema), ...worldProperties(world, registries) } };
}

/**
 * Schema of a spec for editors, composed of everything registered: what every spec has, and for each family what its
 * simulators and options are. Where keys depend on options of the family, as the number of seats does, they are those of
 * the family's defaults; how many things stand in a list of a simulator, as in a start, is left open.
 */
export function experimentJsonSchema(registries: Registries): JsonSchema {
  const envelope = jsonSchemaFrom(experimentSchema);
  const families = Object.values(registries.families);
  const properties = envelope.properties as JsonSchema;
  const setting = settingProperties(
    jsonSchemaFrom(settingSchema).properties as JsonSchema,
    properties.variants as JsonSchema,
    {
      additionalProperties: false,
    },
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Thaw experiment',
    ...envelope,
    properties: {
      ...properties,
      ...setting,
      family: { ...(properties.family as JsonSchema), enum: families.map(({ name }) => name) },
    },
    allOf: families.map((family) => ({
      if: { properties: { family: { const: family.name } }, required: ['family'] },
      then: {
        properties: settingProperties(
          editedWorldProperties(family, registries),
          described(properties.variants as JsonSchema),
          {},
        ),
      },
    })),
  };
}

/** Schema of a file of panels for editors: the same of the keys that such a file has. */
export function panelJsonSchema(registries: Registries): JsonSchema {
  const whole = experimentJsonSchema(registries) as { properties: JsonSchema; allOf: readonly FamilyBranch[] };
  const keys = Object.keys(panelSchema.shape);
  const kept = (properties: JsonSchema): JsonSchema =>
    Object.fromEntries(Object.entries(properties).filter(([key]) => keys.includes(key)));
  return {
    ...whole,
    title: 'Thaw panels',
    properties: kept(whole.properties),
    required: ['family', 'panels'],
    allOf: whole.allOf.map((branch) => ({ ...branch, then: { properties: kept(branch.then.properties) } })),
  };
}

/** What holds for the specs of one family. */
interface FamilyBranch {
  readonly if: JsonSchema;
  readonly then: { readonly properties: JsonSchema };
}

/** Keys of a setting as an experiment has them and as each of its variants may change them. */
function settingProperties(setting: JsonSchema, variants: JsonSchema, limits: JsonSchema): JsonSchema {
  const partial = mapValues(setting, withoutRequired);
  const override = overrideSchema({ type: 'object', properties: partial, ...limits });
  return { ...partial, variants: { ...variants, additionalProperties: override } };
}

function worldProperties(world: World, registries: Registries): JsonSchema {
  const family = registries.families[world.family]!;
  const properties = jsonSchemaFrom(settingSchema).properties as Record<keyof typeof settingShape, JsonSchema>;
  return {
    family_options: { ...properties.family_options, ...jsonSchemaFrom(family.optionsSchema) },
    simulators: { ...properties.simulators, additionalProperties: jsonSchemaFrom(world.simulatorSchema) },
    algorithm: { ...described(properties.algorithm), oneOf: algorithmBranches(world, registries) },
    strategy: {
      ...described(properties.strategy),
      oneOf: Object.values(registries.strategies).map((strategy) => ({
        ...jsonSchemaFrom(strategy.optionsSchema),
        description: strategy.summary,
      })),
    },
  };
}

/** What specs of a family may say whatever its options are. */
function editedWorldProperties(family: Family, registries: Registries): JsonSchema {
  const properties = worldProperties(defaultWorld(family), registries);
  // What simulators may hold is known once an environment is.
  if (family.placeholder !== undefined)
    return { ...properties, simulators: described(properties.simulators as JsonSchema) };
  return { ...properties, simulators: withNamedStarts(withoutListLengths(properties.simulators as JsonSchema)) };
}

/** A start may be named instead, as one that was imported: it is looked up before anything is checked. */
function withNamedStarts(simulators: JsonSchema): JsonSchema {
  const simulator = simulators.additionalProperties as JsonSchema;
  const { scenarios, ...others } = simulator.properties as Record<string, JsonSchema>;
  const { start, ...given } = (scenarios?.properties ?? {}) as Record<string, JsonSchema>;
  if (scenarios === undefined || start === undefined) return simulators;
  const name = {
    type: 'string',
    pattern: '^import:',
    description: 'An import, `import:NAME/EPISODE@STEP` or `import:NAME/*`.',
  };
  const named = { description: start.description, oneOf: [start, name] };
  const properties = { ...others, scenarios: { ...scenarios, properties: { ...given, start: named } } };
  return { ...simulators, additionalProperties: { ...simulator, properties } };
}

/**
 * Lists of lists, such as the places of all agents, may have any length, and no default that has one; a single place
 * keeps its length.
 */
function withoutListLengths(schema: JsonSchema): JsonSchema {
  const isListOfLists = schema.type === 'array' && isRecord(schema.items) && schema.items.type === 'array';
  const kept = isListOfLists ? withoutKeywords(schema, ['minItems', 'maxItems', 'default']) : schema;
  return mapValues(kept, (value: unknown) => {
    if (Array.isArray(value)) return value.map((each: unknown) => (isRecord(each) ? withoutListLengths(each) : each));
    return isRecord(value) ? withoutListLengths(value) : value;
  });
}

/** One branch an algorithm, under all of its names. */
function algorithmBranches(world: World, registries: Registries): JsonSchema[] {
  return Object.values(registries.algorithms).map((algorithm) => {
    const schema = jsonSchemaFrom(algorithm.parametersSchema(world));
    const name = { type: 'string', enum: [algorithm.name, ...algorithm.aliases], description: 'Which algorithm.' };
    return { ...schema, properties: { ...(schema.properties as JsonSchema), name }, description: algorithm.summary };
  });
}

/** What is said about a key, without what its value must be. */
function described({ description, default: fallback }: JsonSchema): JsonSchema {
  return { description, ...(fallback === undefined ? {} : { default: fallback }) };
}

/** The schema of a part of what `schema` describes: no key is required, so one alternative of a union or more may fit. */
function withoutRequired(schema: JsonSchema): JsonSchema {
  const { oneOf, properties, additionalProperties } = schema;
  return {
    ...withoutKeywords(schema, ['required', 'oneOf', 'properties', 'additionalProperties']),
    ...(oneOf === undefined ? {} : { anyOf: (oneOf as JsonSchema[]).map(withoutRequired) }),
    ...(properties === undefined ? {} : { properties: mapValues(properties as JsonSchema, withoutRequired) }),
    ...(isRecord(additionalProperties) ? { additionalProperties: withoutRequired(additionalProperties) } : {}),
    ...(additionalProperties === false ? { additionalProperties } : {}),
  };
}

/** What may stand in a variant: a part of the setting, in which null removes a key. */
function overrideSchema(schema: JsonSchema): JsonSchema {
  const { properties, additionalProperties, anyOf } = schema;
  const nullable = (value: JsonSchema) => ({ anyOf: [overrideSchema(value), { type: 'null' }] });
  return {
    ...withoutKeywords(schema, ['default', 'anyOf', 'properties', 'additionalProperties']),
    ...(anyOf === undefined ? {} : { anyOf: (anyOf as JsonSchema[]).map(overrideSchema) }),
    ...(properties === undefined ? {} : { properties: mapValues(properties as JsonSchema, nullable) }),
    ...(isRecord(additionalProperties) ? { additionalProperties: nullable(additionalProperties) } : {}),
    ...(additionalProperties === false ? { additionalProperties } : {}),
  };
}

function mapValues(schemas: JsonSchema, change: (schema: JsonSchema) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, change(schema as JsonSchema)]));
}

function withoutKeywords(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}
