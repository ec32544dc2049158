import { setTimeout as sleep } from 'node:timers/promises';
import { deterministicDigest } from '../../infra/postgres/deterministic-digest.ts';
import { listRuns, type RunStatus } from '../../infra/postgres/run-rows.ts';
import { isFinalState } from '../../schemas/records.ts';
import type { ServiceSession } from '../services/service-session.ts';
import type { ValidSpec } from '../specs/spec-files.ts';
import { submitSpecs } from '../submission/submission.ts';
import { note } from '../terminal/terminal.ts';
import { countOf } from './count-of.ts';
import { faultName, type Fault } from './faults.ts';
import { KeptServices } from './kept-services.ts';
import { starve } from './starve.ts';
import { kill, survivors, trainingChildren, type Doomed } from './victims.ts';

const POLL_MS = 100;

/** How experiments ended that were disturbed all the time. */
export interface ChaosRun {
  /** Of each experiment, in their order. */
  readonly digests: readonly string[];
  readonly states: Readonly<Record<string, number>>;
  /** Attempts by how they ended. */
  readonly attempts: Readonly<Record<string, number>>;
  /** Last words of attempts that failed in a way in which nothing was made to fail. */
  readonly unexpected: readonly string[];
  /** Faults by name, as they happened. */
  readonly faults: Readonly<Record<string, number>>;
  /** Processes that should be dead and are not. */
  readonly survivors: number;
  readonly wallS: number;
}

export interface ChaosOptions {
  /** The experiment number so many; another one is asked for while faults are left. */
  readonly spec: (index: number) => Promise<ValidSpec>;
  /** At least so many experiments. */
  readonly experiments: number;
  readonly faults: readonly Fault[];
  readonly intervalS: number;
}

/** Runs experiments one after the other while one fault follows the other, until there are no more of either. */
export async function runInChaos(session: ServiceSession, options: ChaosOptions): Promise<ChaosRun> {
  const startedAt = performance.now();
  const services = await KeptServices.take(session.configuration);
  const disturber = new Disturber(session, services, options);
  const ids: string[] = [];
  const states: string[] = [];
  try {
    while (ids.length < options.experiments || !disturber.isDone) {
      const [submission] = await submitSpecs(session, [await options.spec(ids.length)]);
      const { id } = submission!.experiment;
      ids.push(id);
      const runs = await watch(session, id, (current) => disturber.look(current));
      states.push(...runs.map(({ state }) => state));
    }
    const digests: string[] = [];
    for (const id of ids) digests.push(await deterministicDigest(session.database, id));
    return {
      digests,
      states: countOf(states),
      attempts: await attemptsByOutcome(session, ids),
      unexpected: await unexpectedFailures(session, ids),
      faults: countOf(disturber.done.map(faultName)),
      survivors: disturber.survivors(),
      wallS: (performance.now() - startedAt) / 1000,
    };
  } finally {
    services.release();
  }
}

async function watch(
  { database }: ServiceSession,
  id: string,
  look: (runs: readonly RunStatus[]) => Promise<void>,
): Promise<readonly RunStatus[]> {
  for (;;) {
    const runs = await listRuns(database, id);
    if (runs.every(({ state }) => isFinalState(state))) return runs;
    await look(runs);
    await sleep(POLL_MS);
  }
}

/** Makes one fault after the other happen, each some time after the last. */
class Disturber {
  readonly done: Fault[] = [];
  private readonly session: ServiceSession;
  private readonly services: KeptServices;
  private readonly waiting: Fault[];
  private readonly intervalMs: number;
  private readonly doomed: Doomed[] = [];
  private nextAt: number;

  constructor(
    session: ServiceSession,
    services: KeptServices,
    { faults, intervalS }: Pick<ChaosOptions, 'faults' | 'intervalS'>,
  ) {
    this.session = session;
    this.services = services;
    this.waiting = [...faults];
    this.intervalMs = 1000 * intervalS;
    this.nextAt = this.next();
  }

  get isDone(): boolean {
    return this.waiting.length === 0;
  }

  survivors(): number {
    return survivors(this.doomed).length;
  }

  /** Disturbs when it is time, and there is a run to disturb; what is not there to be killed is waited for. */
  async look(runs: readonly RunStatus[]): Promise<void> {
    this.services.check();
    const [fault] = this.waiting;
    if (fault === undefined || performance.now() < this.nextAt || !runs.some(({ state }) => state === 'RUNNING'))
      return;
    if (!(await this.disturb(fault))) return;
    this.done.push(fault);
    this.waiting.shift();
    const rounds = runs.reduce((sum, { roundsCompleted }) => sum + roundsCompleted, 0);
    const runsOver = runs.filter(({ state }) => isFinalState(state)).length;
    note(
      `fault ${this.done.length} of ${this.done.length + this.waiting.length}: ${faultName(fault)} (${runsOver} of ${runs.length} runs over, ${rounds} rounds)`,
    );
    if (fault.victim === 'supervisor' || fault.victim === 'everything at once') await this.services.takeAgain();
    this.nextAt = this.next();
  }

  private async disturb({ victim, how, choice }: Fault): Promise<boolean> {
    const { configuration } = this.session;
    const choose = (count: number): number => Math.floor(choice * count);
    if (how === 'lack of memory') {
      const children = trainingChildren(configuration);
      return children.length > 0 && starve(children[choose(children.length)]!);
    }
    const doomed = kill(configuration, victim, { signal: how, choose });
    this.doomed.push(...doomed);
    return doomed.length > 0;
  }

  private next(): number {
    return performance.now() + this.intervalMs * (this.waiting[0]?.pauseShare ?? 0);
  }
}

async function attemptsByOutcome(
  { database }: ServiceSession,
  ids: readonly string[],
): Promise<Record<string, number>> {
  const { rows } = await database.query(
    `select coalesce(a.outcome, 'open') as outcome, count(*) as count
       from attempts a join runs r on r.id = a.run_id where r.experiment_id = any($1) group by 1 order by 1`,
    [ids],
  );
  return Object.fromEntries(rows.map((row) => [row['outcome'] as string, row['count'] as number]));
}

/**
 * A kill is a loss, and a refusal of memory a lack of it. Now and then V8 does not look whether it got what it asked for,
 * and dies of SIGSEGV without a word; nobody could tell why, and it counts as an error.
 */
async function unexpectedFailures({ database }: ServiceSession, ids: readonly string[]): Promise<string[]> {
  const { rows } = await database.query(
    `select a.outcome, a.message, a.log_tail from attempts a join runs r on r.id = a.run_id
      where r.experiment_id = any($1) and a.outcome not in ('done', 'lost', 'out_of_memory')
        and a.signal is distinct from 'SIGSEGV'
      order by a.started_at`,
    [ids],
  );
  return rows.map(({ outcome, message, log_tail: log }) => [outcome, message, log].join(' ').trim());
}
