import type { Family, World } from '../simulators/contract.ts';
import { withoutPaths } from './path.ts';

export interface OpenedFamily {
  readonly world: World;
  /** Whether these are the options that were written; otherwise the nearest that are legal, to go on checking with. */
  readonly isAsWritten: boolean;
}

/** Opens a family with options as written; what is illegal in them is replaced by its default. */
export function openFamily(family: Family, options: unknown): OpenedFamily {
  const parsed = family.optionsSchema.safeParse(options ?? {});
  if (parsed.success) return { world: family.open(parsed.data), isAsWritten: true };
  const bad = parsed.error.issues.map(({ path, ...issue }) => {
    const unknown = 'keys' in issue && Array.isArray(issue.keys) ? issue.keys : null;
    return unknown === null ? [path.slice(0, 1)] : unknown.map((key) => [key]);
  });
  const legal = family.optionsSchema.safeParse(withoutPaths(options, bad.flat() as string[][]) ?? {});
  return { world: family.open(legal.success ? legal.data : family.optionsSchema.parse({})), isAsWritten: false };
}
