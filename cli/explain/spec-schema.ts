import { experimentSchema } from '../../schemas/experiment.ts';
import { jsonSchemaFrom, settingJsonSchema, type JsonSchema } from '../../specification/json-schema.ts';
import { defaultWorld } from '../../specification/open-family.ts';
import type { Registries } from '../../specification/registries.ts';

/** The schema of a spec in one family, as it is explained: keys in the order of a spec, and a variant as a setting. */
export function explainedSchema(familyName: string, registries: Registries): JsonSchema {
  const world = defaultWorld(registries.families[familyName]!);
  const envelope = jsonSchemaFrom(experimentSchema);
  const head = envelope.properties as Record<string, JsonSchema>;
  const setting = settingJsonSchema(world, registries).properties as Record<string, JsonSchema>;
  const variant = {
    type: 'object',
    description: 'One setting: any of these keys. What stands here is merged over the experiment; null removes a key.',
    properties: setting,
  };
  return {
    ...envelope,
    description: 'An experiment.',
    properties: {
      ...head,
      ...setting,
      family: { ...head['family'], enum: Object.keys(registries.families) },
      variants: { ...head['variants'], additionalProperties: variant },
    },
  };
}
