import type { z } from 'zod';
import type { Family, World } from '../simulators/contract.ts';
import { describeValue, type Finding } from './finding.ts';
import { isRecord, valueAt, withoutPaths } from './path.ts';

export interface OpenedFamily {
  readonly world: World;
  /** Whether the world is the one that was meant; otherwise an option is illegal and its default stands for it. */
  readonly isAsMeant: boolean;
  /** What no schema can say of the options, such as that an environment they name is not there. */
  readonly refused: readonly Finding[];
}

/** Opens a family with the options that are legal, to go on checking with whatever is wrong in the others. */
export function openFamily(family: Family, options: unknown): OpenedFamily {
  const parsed = family.optionsSchema.safeParse(options ?? {});
  if (parsed.success) return { world: worldOf(family, parsed.data), isAsMeant: true, refused: [] };
  const refused = parsed.error.issues.filter(({ code }) => code === 'custom').map((issue) => findingOf(issue, options));
  const unknown = parsed.error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  const illegal = parsed.error.issues.flatMap(({ path }) => (path.length === 0 ? [] : [String(path[0])]));
  const dropped = [...unknown, ...illegal].map((key) => [key]);
  const legal = family.optionsSchema.safeParse(isRecord(options) ? withoutPaths(options, dropped) : {});
  const world = legal.success ? worldOf(family, legal.data) : defaultWorld(family);
  return { world, isAsMeant: legal.success && illegal.length === 0 && isRecord(options), refused };
}

/** The world of default options, or what stands for one where options have none. */
export function defaultWorld(family: Family): World {
  return family.placeholder ?? worldOf(family, family.optionsSchema.parse({}));
}

function findingOf(issue: z.core.$ZodIssue, options: unknown): Finding {
  const inside = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  const { found, remedy } = (issue.code === 'custom' ? issue.params : undefined) ?? {};
  return {
    path: ['family_options', ...inside],
    found: (found as string | undefined) ?? describeValue(valueAt(options, inside)),
    expected: issue.message,
    remedy: (remedy as string | undefined) ?? 'Choose a value that fits.',
  };
}

const OPENED = new WeakMap<Family, Map<string, World>>();

/** A world holds no state, so one serves all who ask; opening one builds its schemas, which takes some 10 ms. */
export function worldOf(family: Family, options: Readonly<Record<string, unknown>>): World {
  const opened = OPENED.get(family) ?? new Map<string, World>();
  OPENED.set(family, opened);
  const key = JSON.stringify(options);
  const world = opened.get(key) ?? family.open(options);
  opened.set(key, world);
  return world;
}
