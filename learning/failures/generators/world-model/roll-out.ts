import { createPrediction, predictStep, type WorldModel } from './world-model.ts';

// Letters: T steps, N seats, A numbers of a box, S numbers of a state.

/**
 * The return that a model foretells: R̂ = Σ_{t<T} r̂(ŝₜ, aₜ), ŝ₀ the start, ŝₜ₊₁ = ŝₜ + Δ̂(ŝₜ, aₜ). It is not discounted,
 * as returns of episodes are not.
 * @param start shape [S]
 * @param actions shape [T N], or [T][N A] of boxes, given beforehand: nobody reacts to what is foretold
 */
export function predictReturn(
  model: WorldModel,
  start: readonly number[],
  actions: readonly (readonly number[])[],
): number {
  const state = Float64Array.from(start);
  const prediction = createPrediction(model);
  let sum = 0;
  for (const joint of actions) {
    predictStep(model, { state, actions: joint }, prediction);
    for (let at = 0; at < state.length; at += 1) state[at]! += prediction.outcome[at]!;
    sum += prediction.outcome[state.length]!;
  }
  return sum;
}
