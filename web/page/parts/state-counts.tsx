import { countText } from './number-text.ts';
import { countedStates, stateText, STATE_MARKS, type RunState } from './run-state.ts';

/** How many runs are in each state, never one word that hides them. */
export function StateCounts({ counts }: { readonly counts: Readonly<Partial<Record<RunState, number>>> }) {
  return (
    <ul class="counts">
      {countedStates(counts).map(([state, count]) => (
        <li key={state} class={`state state-${state.toLowerCase()}`}>
          <span aria-hidden="true">{STATE_MARKS[state]}</span> {countText(count)} {stateText(state)}
        </li>
      ))}
    </ul>
  );
}
