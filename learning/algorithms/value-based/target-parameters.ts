import type { ValueParameters } from './parameters.ts';

// Letters: P parameters.

/**
 * Moves the target network after an optimizer step: made equal to the newest every so many steps, or a share τ of the way
 * at every step:
 *
 *     θ⁻ ← θ⁻ + τ(θ − θ⁻)
 *
 * @param target shape [P], written @param newest shape [P] @param stepCount optimizer steps so far
 */
export function moveTarget(
  target: Float32Array,
  newest: Float32Array,
  stepCount: number,
  { target_tau: tau, target_update_interval: interval }: Pick<ValueParameters, 'target_tau' | 'target_update_interval'>,
): void {
  if (tau === null) {
    if (stepCount % interval === 0) target.set(newest);
    return;
  }
  for (let index = 0; index < target.length; index += 1) target[index]! += tau * (newest[index]! - target[index]!);
}
