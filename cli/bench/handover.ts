import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { cancelRuns } from '../lifecycle/cancellation.ts';
import { programFile } from '../program-version.ts';
import { takeServices, type ServiceSession } from '../services/service-session.ts';
import { submitSpecs } from '../submission/submission.ts';
import { note } from '../terminal/terminal.ts';
import { workerEnvironment } from '../worker/worker-command.ts';
import { inPrivateHome } from './private-home.ts';
import { machine, spreadOf, type BenchReport } from './report.ts';
import { benchSpec } from './spec.ts';

/** As in `workflows/run-variant.ts`. */
const HEARTBEAT_TIMEOUT_S = 10;
/** What noticing the timeout and starting elsewhere may take on top. */
const ALLOWANCE_S = 2;
const POLL_MS = 20;
/** What a worker writes into its log when it serves its queues. */
const READY = 'the worker is ready';

/** The newest attempt of the run, and the worker process that makes it. */
interface NewestAttempt {
  readonly number: number;
  readonly round: number;
  readonly workerPid: number;
  readonly startedMs: number;
  readonly isUnderWay: boolean;
}

/**
 * From the kill of the worker that trains to the row of the next attempt, which is on another worker. Every kill hits
 * another round, because only the first retry of a round does not wait.
 */
export async function benchHandover({ repetitions }: { repetitions: number }): Promise<BenchReport> {
  const seconds = await inPrivateHome((session) => killWorkers(session, repetitions));
  const limit = HEARTBEAT_TIMEOUT_S + ALLOWANCE_S;
  return {
    name: 'handover',
    holds: seconds.every((each) => each <= limit),
    ratios: { [`handover over heartbeat timeout + ${ALLOWANCE_S} s`]: spreadOf(seconds.map((each) => each / limit)) },
    ours: {
      'from kill -9 to the row of the next attempt s': spreadOf(seconds),
      each: seconds.map((each) => each.toFixed(2)),
      'heartbeat timeout s': HEARTBEAT_TIMEOUT_S,
    },
    peers: [],
    n: seconds.length,
    machine: machine(),
  };
}

async function killWorkers(session: ServiceSession, repetitions: number): Promise<number[]> {
  // Longer than it will be needed: it is cancelled at the end.
  const spec = await benchSpec('learning', [
    'budget={"rounds":1000,"env_steps":153600000}',
    'seeds=[0]',
    'execution.retries.lost=1000',
  ]);
  const [submission] = await submitSpecs(session, [spec]);
  const { experiment } = submission!;
  const { id } = experiment;
  const seconds: number[] = [];
  let lastRound = -1;
  let further = await startWorker(session);
  try {
    while (seconds.length < repetitions) {
      const victim = await untilAttempt(session, id, ({ round, isUnderWay }) => isUnderWay && round > lastRound);
      lastRound = victim.round;
      const killedMs = Date.now();
      process.kill(victim.workerPid, 'SIGKILL');
      const next = await untilAttempt(session, id, ({ number }) => number > victim.number);
      if (next.workerPid === victim.workerPid) throw new Error('a dead worker began an attempt');
      seconds.push((next.startedMs - killedMs) / 1000);
      note(`kill ${seconds.length}: the next attempt began ${seconds.at(-1)!.toFixed(2)} s later`);
      if (further.pid === victim.workerPid) further = await startWorker(session);
    }
    await cancelRuns(session, { experiment });
  } finally {
    further.kill('SIGKILL');
  }
  return seconds;
}

/** One more worker, beside that of the supervisor. */
async function startWorker({ configuration }: ServiceSession): Promise<ChildProcess> {
  const services = await takeServices(configuration);
  services.release();
  const env = { ...process.env, THAW_HOME: configuration.home, ...workerEnvironment(configuration, services) };
  const worker = spawn(process.execPath, [programFile(), 'worker'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  worker.stderr.setEncoding('utf8');
  await new Promise<void>((resolve, reject) => {
    worker.stderr.on('data', (text: string) => text.includes(READY) && resolve());
    worker.once('exit', () => reject(new Error('the further worker ended')));
  });
  return worker;
}

async function untilAttempt(
  session: ServiceSession,
  id: string,
  isWanted: (attempt: NewestAttempt) => boolean,
): Promise<NewestAttempt> {
  for (;;) {
    const attempt = await newestAttempt(session, id);
    if (attempt !== null && isWanted(attempt)) return attempt;
    await sleep(POLL_MS);
  }
}

async function newestAttempt({ database }: ServiceSession, id: string): Promise<NewestAttempt | null> {
  const { rows } = await database.query(
    `select a.number, a.round, a.worker, a.started_at,
            a.ended_at is null and a.kind = 'train_round' and r.progress_env_steps > r.env_steps as is_under_way
       from attempts a join runs r on r.id = a.run_id where r.experiment_id = $1 order by a.number desc limit 1`,
    [id],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    number: row['number'] as number,
    round: row['round'] as number,
    workerPid: Number((row['worker'] as string).split(':').at(-1)),
    startedMs: Number(row['started_at']),
    isUnderWay: row['is_under_way'] === true,
  };
}
