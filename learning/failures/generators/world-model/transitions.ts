import type { Failure } from '../../contract.ts';

// Letters: T steps of an episode, n transitions, N seats, W numbers of an action, S numbers of a state.

/** One step of a mined episode. */
export interface Transition {
  /** Shape [S]. */
  readonly state: readonly number[];
  /** Shape [N W]. */
  readonly actions: readonly number[];
  /** Shape [S+1]: sₜ₊₁ − sₜ, and the reward. */
  readonly outcome: readonly number[];
}

/** All steps of all episodes, in their order: n = Σ T. */
export function transitionsOf(failures: readonly Pick<Failure, 'states' | 'actions' | 'rewards'>[]): Transition[] {
  return failures.flatMap(({ states, actions, rewards }) =>
    actions.map((joint, step) => {
      const [state, next] = [states[step]!, states[step + 1]!];
      return { state, actions: joint, outcome: [...next.map((value, at) => value - state[at]!), rewards[step]!] };
    }),
  );
}
