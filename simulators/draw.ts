import type { Parameter } from './contract.ts';

/**
 * One uniform draw of a parameter in [low, high], both included.
 * A whole-number parameter gives every whole number in the range the same probability.
 * @param uniform in [0, 1)
 */
export function drawParameter(parameter: Parameter, low: number, high: number, uniform: number): number {
  if (parameter.kind === 'real') return low + uniform * (high - low);
  const first = Math.ceil(low);
  return first + Math.floor(uniform * (Math.floor(high) - first + 1));
}
