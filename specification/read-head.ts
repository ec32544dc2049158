import type { z } from 'zod';
import { headSchema } from '../schemas/experiment.ts';
import { settingShape } from '../schemas/experiment-setting.ts';
import { LIMITS } from '../schemas/experiment-limits.ts';
import { createSchemaCheck, parsePart, type SchemaCheck } from './check-schema.ts';
import { checkTimeouts, fitTimeouts } from './execution.ts';
import { describeValue, type Finding } from './finding.ts';
import { jsonSchemaFrom } from './json-schema.ts';
import { listNames, nearestName } from './nearest.ts';
import { isRecord, isWithin, withoutPaths } from './path.ts';
import { plannedFindings } from './planned-findings.ts';

type Head = z.output<typeof headSchema>;

const HEAD_KEYS = Object.keys(headSchema.shape);
export const SETTING_KEYS = Object.keys(settingShape);

export interface HeadRead {
  readonly head: Partial<Head>;
  /** Overrides by variant; null when there is no usable variant. */
  readonly overrides: Readonly<Record<string, Record<string, unknown>>> | null;
  readonly findings: readonly Finding[];
}

/** Made when first needed, because making it takes longer than using it. */
let checkHead: SchemaCheck | undefined;

/** Reads what holds for the whole experiment, and finds the keys that a spec does not have. */
export function readHead(document: Record<string, unknown>): HeadRead {
  const written = Object.fromEntries(HEAD_KEYS.flatMap((key) => (key in document ? [[key, document[key]]] : [])));
  const planned = plannedFindings(written);
  const wanted = withoutPaths(
    written,
    planned.map(({ dropped }) => dropped),
  );
  checkHead ??= createSchemaCheck(jsonSchemaFrom(headSchema));
  const refused = checkHead(wanted);
  const legal = withoutPaths(
    wanted,
    refused.map(({ path }) => path),
  ) as Record<string, unknown>;
  const findings: Finding[] = [...unknownKeys(document), ...planned.map(({ finding }) => finding), ...refused];
  const head: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(headSchema.shape)) {
    const parsed = parsePart<unknown>(schema, legal[key], [key]);
    if ('value' in parsed) head[key] = parsed.value;
    else findings.push(...parsed.findings.filter(({ path }) => !refused.some((known) => isWithin(known.path, path))));
  }
  const { execution } = head as Partial<Head>;
  if (execution !== undefined) {
    const fitted = fitTimeouts(execution, legal.execution);
    head.execution = fitted;
    findings.push(...checkTimeouts(fitted));
  }
  const variants = (head as Partial<Head>).variants ?? {};
  findings.push(...checkVariantCount(document.variants), ...checkSeeds((head as Partial<Head>).seeds));
  findings.push(...checkRunCount(head));
  return { head, overrides: Object.keys(variants).length === 0 ? null : variants, findings };
}

function unknownKeys(document: Record<string, unknown>): Finding[] {
  const known = [...HEAD_KEYS, ...SETTING_KEYS];
  return Object.keys(document)
    .filter((key) => !known.includes(key))
    .map((key) => unknownKey([key], key, known));
}

/** Keys of a variant that no variant has; those of the experiment's head among them. */
export function unknownOverrideKeys(name: string, override: Record<string, unknown>): Finding[] {
  return Object.keys(override)
    .filter((key) => !SETTING_KEYS.includes(key))
    .map((key) => {
      const path = ['variants', name, key];
      if (!HEAD_KEYS.includes(key)) return unknownKey(path, key, Object.keys(settingShape));
      return {
        path,
        found: `"${key}", which holds for the whole experiment`,
        expected: `what a variant may change: ${listNames(Object.keys(settingShape))}`,
        remedy: `Set "${key}" outside of the variants, or write another experiment.`,
      };
    });
}

function unknownKey(path: string[], key: string, known: readonly string[]): Finding {
  const nearest = nearestName(key, known);
  return {
    path,
    found: `the unknown key ${JSON.stringify(key)}`,
    expected: `one of the keys ${listNames(known, 40)}`,
    ...(nearest === undefined ? {} : { nearest }),
    remedy: nearest === undefined ? 'Remove the key.' : `Rename it to "${nearest}", or remove it.`,
  };
}

/** Whether there are variants, and not too many. */
export function checkVariantCount(variants: unknown): Finding[] {
  if (!isRecord(variants)) return [];
  const count = Object.keys(variants).length;
  if (count > 0 && count <= LIMITS.variantCount) return [];
  const found = count === 0 ? 'no variant' : `${count} variants`;
  const expected = `from 1 to ${LIMITS.variantCount} variants`;
  const remedy =
    'Add at least one, e.g. "variants": { "frozen": { "strategy": { "kind": "frozen", "simulator": "base" } } }.';
  return [{ path: ['variants'], found, expected, remedy: count === 0 ? remedy : 'Split the experiment.' }];
}

function checkSeeds(seeds: Head['seeds'] | undefined): Finding[] {
  if (seeds === undefined || Array.isArray(seeds) || seeds.first + seeds.count - 1 <= LIMITS.seedMax) return [];
  const expected = `seeds of at most ${LIMITS.seedMax}`;
  return [{ path: ['seeds'], found: describeValue(seeds), expected, remedy: 'Start at a smaller seed.' }];
}

/** Whether there are too many runs. */
export function checkRunCount({ variants, seeds }: Partial<Head>): Finding[] {
  const variantCount = Object.keys(variants ?? {}).length;
  const runCount = variantCount * (seeds === undefined ? 0 : seedList(seeds).length);
  if (runCount <= LIMITS.runCount) return [];
  const found = `${variantCount} variants × ${runCount / variantCount} seeds = ${runCount} runs`;
  return [{ path: ['seeds'], found, expected: `at most ${LIMITS.runCount} runs`, remedy: 'Split the experiment.' }];
}

/** Seeds as a list, however they were written. */
export function seedList(seeds: Head['seeds']): readonly number[] {
  return Array.isArray(seeds) ? seeds : Array.from({ length: seeds.count }, (_, index) => seeds.first + index);
}
