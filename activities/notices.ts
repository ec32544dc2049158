import { ApplicationFailure, Context } from '@temporalio/activity';
import { insertExperimentEvent } from '../infra/postgres/event-rows.ts';
import { findExecution, findExperiment } from '../infra/postgres/experiment-rows.ts';
import { listResultRows } from '../infra/postgres/result-rows.ts';
import { countStates } from '../infra/postgres/state-counts.ts';
import { placeOf, postNotice } from '../infra/webhook.ts';
import { RUN_STATES, isFinalState } from '../schemas/records.ts';
import type { NoticeSource } from '../schemas/run-plan.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { noticeBody } from './notice-body.ts';

/** An address and who named it. */
interface Receiver {
  readonly source: NoticeSource;
  readonly url: string;
  readonly on: 'end' | 'failure';
}

/** Who is to be told that an experiment is over: nobody while some run of it is not. */
export async function planNotices(
  dependencies: ActivityDependencies,
  { experimentId }: { experimentId: string },
): Promise<{ sources: NoticeSource[] }> {
  const receivers = await receiversOf(dependencies, experimentId);
  if (receivers.length === 0) return { sources: [] };
  const counts = await countStates(dependencies.database, { experimentId });
  const present = RUN_STATES.filter((state) => (counts[state] ?? 0) > 0);
  if (!present.every(isFinalState)) return { sources: [] };
  const hasFailed = present.some((state) => state !== 'SUCCEEDED' && state !== 'SKIPPED');
  return { sources: receivers.filter(({ on }) => on === 'end' || hasFailed).map(({ source }) => source) };
}

/**
 * Tells one receiver, once, and writes into the log whether it has taken the notice. Whoever does not answer now is to be
 * tried again, which is said by an error.
 * @param input.key names this end of the experiment; the same at every try
 */
export async function tellEnd(
  dependencies: ActivityDependencies,
  { experimentId, source, key }: { experimentId: string; source: NoticeSource; key: string },
): Promise<void> {
  const { database, webhook } = dependencies;
  const receiver = (await receiversOf(dependencies, experimentId)).find((each) => each.source === source);
  if (receiver === undefined) return;
  const experiment = await findExperiment(database, experimentId);
  const body = noticeBody(experiment, await listResultRows(database, experimentId), key);
  const { cancellationSignal: signal } = Context.current();
  const outcome = await postNotice({ url: receiver.url, body, key, secret: webhook?.secret ?? null, signal });
  const what = `${placeOf(receiver.url)} ${outcome.text}`;
  if (outcome.kind === 'unreached') throw ApplicationFailure.create({ type: 'unreached', message: what });
  const kind = outcome.kind === 'told' ? 'notified' : 'not_notified';
  await insertExperimentEvent(database, experimentId, kind, `${NOTICE}: ${what}`);
}

const NOTICE = 'that the experiment is over';

/** A receiver that has been tried for long enough. */
export async function recordUntold(
  { database }: ActivityDependencies,
  { experimentId, reason }: { experimentId: string; reason: string },
): Promise<void> {
  await insertExperimentEvent(database, experimentId, 'not_notified', `${NOTICE}: ${reason}; it is not tried again`);
}

/** The experiment's own, and the installation's; one address is told once. */
async function receiversOf(
  { database, webhook }: ActivityDependencies,
  experimentId: string,
): Promise<readonly Receiver[]> {
  const { notify } = await findExecution(database, experimentId);
  const url = webhook?.url ?? null;
  // The installation asks for every end.
  if (notify !== undefined && notify.url === url) return [{ source: 'experiment', url, on: 'end' }];
  const own: Receiver[] = notify === undefined ? [] : [{ source: 'experiment', ...notify }];
  return url === null ? own : [...own, { source: 'installation', url, on: 'end' }];
}
