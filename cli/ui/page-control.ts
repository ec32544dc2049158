import { pauseExperiment } from '../../infra/postgres/stop-rows.ts';
import { stateCounts } from '../../learning/results/state-counts.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { Order } from '../../web/contract/server.ts';
import { pluralText } from '../../web/documents/quantity-text.ts';
import type { Control } from '../../web/orders.ts';
import { askCancellation, killRuns } from '../lifecycle/cancellation.ts';
import { findTarget, runsOf, type Target } from '../runs/find-target.ts';
import { requeue } from '../lifecycle/requeue.ts';
import { isComplete, resume } from '../lifecycle/resume-experiment.ts';
import { countsText, FAILED_STATES, isAtRest, isFinished } from '../runs/run-counts.ts';
import { withServices, type ServiceSession } from '../services/service-session.ts';

type Give = (session: ServiceSession, target: Target) => Promise<string>;

/** What the orders of the page do: what the verbs of the same names do, without waiting for what comes of it. */
const ORDERS: Readonly<Record<Order, Give>> = {
  async pause({ database }, { experiment, runs, run }) {
    if (run !== undefined) {
      throw new ThawError('REQUEST_BAD_ARGUMENT', 'One run alone cannot be paused.', {
        remedy: 'Pause its experiment, or cancel the run; a cancelled one can be resumed.',
      });
    }
    if (isAtRest(runs)) return nothingTo('pause', runs);
    await pauseExperiment(database, experiment.id);
    return 'Paused: nothing more is begun, and what is being computed is finished and kept.';
  },
  async resume(session, target) {
    return isComplete(target, null) ? nothingTo('resume', runsOf(target)) : resume(session, target, null);
  },
  async cancel(session, target) {
    if (isFinished(runsOf(target))) return nothingTo('cancel', runsOf(target));
    await askCancellation(session, target);
    return 'Cancelled: what is committed stays, and can be resumed.';
  },
  async kill(session, target) {
    if (isFinished(runsOf(target))) return nothingTo('kill', runsOf(target));
    const { killed } = await killRuns(session, target);
    return `Killed: ${pluralText(killed, 'run')}.`;
  },
  async retry(session, target) {
    const { counts } = await requeue(session, target, { states: FAILED_STATES, endsPause: false, change: null });
    const count = Object.values(counts).reduce((sum, each) => sum + each, 0);
    return count === 0 ? nothingTo('retry', runsOf(target)) : `Tries ${pluralText(count, 'run')} again.`;
  },
};

/** Takes the orders of the page; each holds the services for as long as it takes. */
export function createControl(): Control {
  return { give: (order, about) => withServices((session) => giveOrder(session, order, about)) };
}

/** @throws REQUEST_UNKNOWN_ID also where an experiment is named in place of a run: an order never reaches more than was meant */
export async function giveOrder(
  session: ServiceSession,
  order: Order,
  { kind, id }: Parameters<Control['give']>[1],
): Promise<string> {
  const target = await findTarget(session.database, id);
  if ((target.run === undefined) === (kind === 'run')) {
    throw new ThawError(
      'REQUEST_UNKNOWN_ID',
      `"${id}" is not the id of ${kind === 'run' ? 'a run' : 'an experiment'}.`,
    );
  }
  return ORDERS[order](session, target);
}

function nothingTo(order: Order, runs: Target['runs']): string {
  return `Nothing to ${order}: ${countsText(stateCounts(runs))}.`;
}
