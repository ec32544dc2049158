import type { Order } from '../../contract/server.ts';
import type { RunState } from '../parts/run-state.ts';

const TAKEN_IN: readonly (readonly [Order, readonly RunState[]])[] = [
  ['pause', ['QUEUED', 'RUNNING', 'RETRYING']],
  ['resume', ['PAUSED', 'CANCELLED']],
  ['cancel', ['QUEUED', 'RUNNING', 'RETRYING', 'PAUSED']],
  ['kill', ['QUEUED', 'RUNNING', 'RETRYING', 'PAUSED', 'CANCELLING']],
  ['retry', ['FAILED', 'CRASHED', 'TIMED_OUT']],
];

/** The orders that would do something about runs in these states. */
export function ordersFor(counts: Readonly<Partial<Record<RunState, number>>>): Order[] {
  return TAKEN_IN.filter(([, states]) => states.some((state) => (counts[state] ?? 0) > 0)).map(([order]) => order);
}
