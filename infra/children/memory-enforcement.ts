import { openChildGroups, type ChildGroups } from './child-groups.ts';

/** How training processes are held to their limits of memory here. */
export interface MemoryEnforcement {
  /** Null where the kernel does not help. */
  readonly groups: ChildGroups | null;
  /** The same in words. */
  readonly description: string;
}

/**
 * @param controlGroup folder of a control group that may be divided; null for none
 * @throws REQUEST_BAD_ARGUMENT when it cannot be divided
 */
export function memoryEnforcement(controlGroup: string | null): MemoryEnforcement {
  const groups = controlGroup === null ? null : openChildGroups(controlGroup);
  const watched = 'the heap limit of the runtime and a watch on resident memory';
  return { groups, description: groups === null ? watched : `control groups in ${groups.folder}, and ${watched}` };
}
