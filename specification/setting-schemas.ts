import type { World } from '../simulators/contract.ts';
import { createSchemaCheck, type SchemaCheck } from './check-schema.ts';
import { type JsonSchema, settingJsonSchema } from './json-schema.ts';
import { isRecord } from './path.ts';
import type { Registries } from './registries.ts';

/** The parts of a setting that have branches, and the key of each that chooses one. */
const CHOSEN_BY = { algorithm: 'name', strategy: 'kind' } as const;

const KEPT = new WeakMap<Registries, SettingSchemas>();

/** What a setting may hold, world by world. Schemas and checks are made once for equal worlds, and kept. */
export class SettingSchemas {
  private readonly registries: Registries;
  private readonly schemas = new Map<string, JsonSchema>();
  private readonly checks = new Map<string, SchemaCheck>();

  private constructor(registries: Registries) {
    this.registries = registries;
  }

  static of(registries: Registries): SettingSchemas {
    const kept = KEPT.get(registries) ?? new SettingSchemas(registries);
    KEPT.set(registries, kept);
    return kept;
  }

  /** With all algorithms and strategies. */
  schemaOf(world: World): JsonSchema {
    const key = JSON.stringify([world.family, world.options]);
    const schema = this.schemas.get(key) ?? settingJsonSchema(world, this.registries);
    this.schemas.set(key, schema);
    return schema;
  }

  /**
   * What checks such a setting. Of algorithms and strategies it holds those that are named alone, because compiling takes most
   * of the time; where a name means nothing all are in it, so that whoever is refused hears of them. They are checked apart from
   * the rest, so that a variant with another strategy has nothing but that compiled.
   */
  checkOf(world: World, setting: Readonly<Record<string, unknown>>): SchemaCheck {
    const schema = this.schemaOf(world);
    const properties = schema.properties as Record<string, JsonSchema>;
    const chosen = Object.entries(CHOSEN_BY).map(([key, discriminator]) => {
      const branches = withBranch(properties[key]!, discriminator, setting[key]);
      const part = JSON.stringify([key, ...namesOf(branches, discriminator)]);
      return this.compiled(world, part, { properties: { [key]: branches } });
    });
    const anything = Object.fromEntries(Object.keys(CHOSEN_BY).map((key) => [key, {}]));
    const others = this.compiled(world, 'others', { ...schema, properties: { ...properties, ...anything } });
    return (document) => [others, ...chosen].flatMap((check) => check(document));
  }

  /** @param part names the schema among those of the world */
  private compiled({ family, options }: World, part: string, schema: JsonSchema): SchemaCheck {
    const key = JSON.stringify([family, options, part]);
    const check = this.checks.get(key) ?? createSchemaCheck(schema);
    this.checks.set(key, check);
    return check;
  }
}

/** The schema with the branch alone that a value chooses; with all where it chooses none. */
function withBranch(schema: JsonSchema, discriminator: string, value: unknown): JsonSchema {
  const name = isRecord(value) ? value[discriminator] : undefined;
  const branches = schema.oneOf as JsonSchema[];
  const chosen = branches.filter((branch) => namesOfBranch(branch, discriminator).includes(name));
  return chosen.length === 0 ? schema : { ...schema, oneOf: chosen };
}

const namesOf = ({ oneOf }: JsonSchema, discriminator: string): unknown[] =>
  (oneOf as JsonSchema[]).flatMap((branch) => namesOfBranch(branch, discriminator));

/** What chooses a branch: one name, or several. */
function namesOfBranch({ properties }: JsonSchema, discriminator: string): readonly unknown[] {
  const { const: only, enum: several } = (properties as Record<string, JsonSchema>)[discriminator]!;
  return (several as readonly unknown[] | undefined) ?? [only];
}
