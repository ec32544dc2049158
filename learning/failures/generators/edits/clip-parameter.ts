import type { Parameter } from '../../../../simulators/contract.ts';

/** The nearest number that a parameter may be: within its range, and whole unless it is real. */
export function clipParameter({ kind, low, high }: Parameter, value: number): number {
  const clipped = Math.min(high, Math.max(low, value));
  return kind === 'real' ? clipped : Math.round(clipped);
}
