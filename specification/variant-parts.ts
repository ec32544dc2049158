import type { z } from 'zod';
import { settingShape } from '../schemas/experiment-setting.ts';
import type { ResolvedAlgorithm } from '../schemas/resolved-experiment.ts';
import type { StrategyOptions } from '../learning/strategies/contract.ts';
import type { SimulatorData, World } from '../simulators/contract.ts';
import { parsePart, type Parsed } from './check-schema.ts';
import type { Finding } from './finding.ts';
import { isRecord, type Path } from './path.ts';
import type { Registries } from './registries.ts';

type SettingOutput = { readonly [Key in keyof typeof settingShape]: z.output<(typeof settingShape)[Key]> };

/** A setting read part by part: a part that cannot be read is undefined, and the others are checked all the same. */
export interface VariantParts {
  readonly world: World;
  /** Those of the spec that could be read. */
  readonly simulators: ReadonlyMap<string, SimulatorData>;
  /** All names the spec gives, of those that could not be read too. */
  readonly specNames: readonly string[];
  readonly algorithm: ResolvedAlgorithm | undefined;
  readonly strategy: StrategyOptions | undefined;
  readonly envelope: Partial<SettingOutput>;
}

export interface PartsRead {
  readonly parts: VariantParts;
  readonly findings: readonly Finding[];
}

/** @param setting as written, without what its schema refused */
export function readParts(setting: Record<string, unknown>, world: World, registries: Registries): PartsRead {
  const findings: Finding[] = [];
  const read = <T>(parsed: Parsed<T>): T | undefined => {
    if ('value' in parsed) return parsed.value;
    findings.push(...parsed.findings);
    return undefined;
  };
  const envelope = Object.fromEntries(
    Object.entries(settingShape).map(([key, schema]) => [key, read(parsePart(schema, setting[key], [key]))]),
  ) as Partial<SettingOutput>;
  const written = isRecord(setting.simulators) ? setting.simulators : {};
  const simulators = new Map<string, SimulatorData>();
  for (const [name, value] of Object.entries(written)) {
    const simulator = read(parsePart(world.simulatorSchema, value, ['simulators', name]));
    if (simulator !== undefined) simulators.set(name, simulator);
  }
  return {
    parts: {
      world,
      simulators,
      specNames: Object.keys(written),
      algorithm: read(readAlgorithm(envelope.algorithm, world, registries)),
      strategy: read(readStrategy(envelope.strategy, registries)),
      envelope,
    },
    findings,
  };
}

function algorithmNamed(name: string, { algorithms }: Registries) {
  return Object.values(algorithms).find((entry) => [entry.name, ...entry.aliases].includes(name));
}

const PARAMETERS = new WeakMap<World, Map<string, z.ZodType>>();

/** Made once for a world: making it takes longer than using it. */
function parametersSchema(algorithm: Registries['algorithms'][string], world: World): z.ZodType {
  const made = PARAMETERS.get(world) ?? new Map<string, z.ZodType>();
  PARAMETERS.set(world, made);
  const schema = made.get(algorithm.name) ?? algorithm.parametersSchema(world);
  made.set(algorithm.name, schema);
  return schema;
}

function readAlgorithm(
  written: { readonly name: string } | undefined,
  world: World,
  registries: Registries,
): Parsed<ResolvedAlgorithm | undefined> {
  if (written === undefined) return { value: undefined };
  const algorithm = algorithmNamed(written.name, registries);
  if (algorithm === undefined) return { value: undefined };
  const parameters = { ...written, name: algorithm.name };
  return parsePart(parametersSchema(algorithm, world), parameters, ['algorithm']) as Parsed<ResolvedAlgorithm>;
}

function readStrategy(written: unknown, { strategies }: Registries): Parsed<StrategyOptions | undefined> {
  const path: Path = ['strategy'];
  const kind = isRecord(written) && typeof written.kind === 'string' ? written.kind : '';
  if (!Object.hasOwn(strategies, kind)) return { value: undefined };
  return parsePart(strategies[kind]!.optionsSchema, written, path);
}
