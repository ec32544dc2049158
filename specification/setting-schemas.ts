import type { World } from '../simulators/contract.ts';
import { createSchemaCheck, type SchemaCheck } from './check-schema.ts';
import { type JsonSchema, settingJsonSchema } from './json-schema.ts';
import { isRecord } from './path.ts';
import type { Registries } from './registries.ts';

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
   * What checks such a setting. Of algorithms and strategies it holds those that are named alone: with all of them a check
   * took 94 ms to compile, with one of each 49 (medians of 9). Where a name means nothing all are in it, so that whoever is refused
   * hears of them.
   */
  checkOf(world: World, setting: Readonly<Record<string, unknown>>): SchemaCheck {
    const schema = this.schemaOf(world);
    const properties = { ...(schema.properties as Record<string, JsonSchema>) };
    properties.algorithm = withBranch(properties.algorithm!, 'name', setting.algorithm);
    properties.strategy = withBranch(properties.strategy!, 'kind', setting.strategy);
    const branches = [namesOf(properties.algorithm, 'name'), namesOf(properties.strategy, 'kind')];
    const key = JSON.stringify([world.family, world.options, ...branches]);
    const check = this.checks.get(key) ?? createSchemaCheck({ ...schema, properties });
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
