import { totalmem } from 'node:os';
import { groupMemoryLimitMib } from './own-control-group.ts';

/** The rest is for the services, the worker itself and everybody else. */
const SHARE_OF_MACHINE = 0.9;
const BYTES_PER_MIB = 2 ** 20;

/** How much memory the training processes of a worker may have together. */
export interface MemoryBudget {
  readonly limitMib: number;
  /** Whether somebody said so; otherwise it is what the machine has. */
  readonly isChosen: boolean;
}

/**
 * @param chosenMib null for 90 % of what the machine has, or its control group may use
 * @param root where the kernel tells of control groups
 */
export function memoryBudget(chosenMib: number | null, root = '/'): MemoryBudget {
  if (chosenMib !== null) return { limitMib: chosenMib, isChosen: true };
  const machineMib = Math.min(totalmem() / BYTES_PER_MIB, groupMemoryLimitMib(root));
  return { limitMib: Math.floor(SHARE_OF_MACHINE * machineMib), isChosen: false };
}
