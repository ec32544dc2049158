import type { RunState } from './run-state.ts';
import { STATE_MARKS, stateText } from './run-state.ts';

/** A run's state: a sign, a colour and the word, so that none of them alone has to tell it. */
export function StateMark({ state, title }: { readonly state: RunState; readonly title?: string | undefined }) {
  return (
    <span class={`state state-${state.toLowerCase()}`} title={title}>
      <span aria-hidden="true">{STATE_MARKS[state]}</span> {stateText(state)}
    </span>
  );
}

/** What a run's numbers say about collapse. */
export function Verdict({ verdict }: { readonly verdict: string | null }) {
  return verdict === null ? <>–</> : <span class={`verdict verdict-${verdict}`}>{verdict}</span>;
}
