import { describe, expect, it } from 'vitest';
import {
  beginAttempt,
  endAttempt,
  shrinkRun,
  type AttemptEnd,
  type AttemptSettings,
} from '../../infra/postgres/attempt-rows.ts';
import { insertRunEvent } from '../../infra/postgres/event-rows.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { seedExperiment } from '../support/seeded-experiment.ts';
import { useStoredCommandLine } from '../support/stored-command-line.ts';

const stored = useStoredCommandLine();
const RUN = runId('example-1', 'pool', 0);
const SETTINGS: AttemptSettings = { memoryLimitMib: 2048, samplerProcesses: 2, chunkRows: 600 };
const UNKNOWN = { message: null, processId: null, exitCode: null, signal: null, logTail: null, peakRssMib: null };
const LACK: Partial<AttemptEnd> = {
  outcome: 'out_of_memory',
  message: 'used 2100 MiB, execution.memory_mib is 2048: raise it',
  processId: 4711,
  signal: 'SIGABRT',
  logTail: 'a first line\nRangeError: Array buffer allocation failed\n    at new Float32Array (<anonymous>)\n',
  peakRssMib: 2099.5,
};

async function attempt(end: Partial<AttemptEnd> & Pick<AttemptEnd, 'outcome'>, settings = SETTINGS): Promise<void> {
  const begun = { runId: RUN, kind: 'train_round', round: 3, worker: 'lab-7', fingerprint: {}, settings } as const;
  const token = await beginAttempt(stored.database, begun);
  await endAttempt(stored.database, token, { ...UNKNOWN, ...end });
}

const retries = ['execution.retries={"error":1,"out_of_memory":3}'];
const out = async (...args: string[]): Promise<string> => (await stored.thaw(...args)).stdout;

/** Out of memory, made smaller, lost, failed twice, which ended the run, and done when it was begun again. */
async function seedHistory(): Promise<void> {
  const smaller = { ...SETTINGS, samplerProcesses: 1 };
  await seedExperiment(stored.database, { overrides: retries });
  await attempt({ outcome: 'out_of_memory', ...LACK });
  await shrinkRun(stored.database, RUN, { shrinks: 1, change: 'sampler_processes 2 → 1' });
  await attempt({ outcome: 'lost', message: 'its worker stopped answering' }, smaller);
  await attempt({ outcome: 'error', message: 'broken', processId: 4712, exitCode: 7, logTail: 'boom' }, smaller);
  await attempt({ outcome: 'error', message: 'broken', processId: 4713, exitCode: 7, logTail: 'boom' }, smaller);
  await insertRunEvent(stored.database, RUN, 'closed', 'FAILED: error after 2 attempts');
  await attempt({ outcome: 'error', message: 'broken', processId: 4714, exitCode: 7, logTail: 'boom' }, smaller);
  await attempt({ outcome: 'done', processId: 4715, peakRssMib: 1000 }, smaller);
}

describe('an attempt explains itself', () => {
  it('[P29] with the exit code or the signal, which try it was of how many, and where its log is', async () => {
    await seedHistory();
    const log = await out('logs', RUN);
    expect(log).toMatch(/attempt 1, train_round of round 3: out_of_memory after .*, try 1 of 4: used 2100 MiB/);
    expect(log).toContain('worker lab-7, process 4711, signal SIGABRT, 2 100 of 2 048 MiB\n');
    expect(log).toContain('last line: RangeError: Array buffer allocation failed\n');
    expect(log).toContain('from now on: sampler_processes 2 → 1\n');
    expect(log).toContain(`its log: thaw logs ${RUN} --attempt 1\n`);
    expect(log).toMatch(/attempt 4, train_round of round 3: error after .*, try 2 of 2: broken\n.*exit code 7/);
    expect(log).toMatch(/attempt 5, train_round of round 3: error after .*, try 1 of 2: broken\n/);
    expect(log).toMatch(/attempt 6, train_round of round 3: done after .*, sampler_processes 1, 600 rows at once\n/);
    expect(log.match(/out_of_memory/g)).toHaveLength(1);
    expect((await out('logs', 'example-1')).match(/ {2}attempt \d+, /g)).toHaveLength(5);
  });

  it('[P27][P74] with its own words also where no process was started', async () => {
    await seedHistory();
    const log = await out('logs', RUN);
    expect(log).toMatch(/attempt 2, .*: lost after .*, try 1 of 6: its worker stopped answering\n/);
    expect(log).toContain('worker lab-7, no process is known, – of 2 048 MiB, sampler_processes 1, 600 rows at once\n');
    expect(log).toContain('it left no log\n');
    expect(await out('logs', RUN, '--attempt', '2')).toContain('its worker stopped answering');
  });

  it('with all that its process wrote, where one is asked for', async () => {
    await seedHistory();
    expect(await out('logs', RUN, '--attempt', '1')).toMatch(
      / {4}\| a first line\n {4}\| RangeError.*\n {4}\| {5}at new Float32Array/,
    );
    const missing = await stored.thaw('logs', RUN, '--attempt', '9');
    expect(missing).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Its attempts are 1 to 6') as string,
    });
    const vague = await stored.thaw('logs', 'example-1', '--attempt', '1');
    expect(vague).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Name a run') as string });
  });

  it('in a table of the run, without columns that have nothing to say', async () => {
    await seedHistory();
    await beginAttempt(stored.database, {
      runId: RUN,
      kind: 'train_round',
      round: 4,
      worker: 'lab-8',
      fingerprint: {},
    });
    const table = await out('get', RUN);
    expect(table).toMatch(/1 {2}train_round 3 {2}out_of_memory, try 1 of 4 {2}signal SIGABRT {2}2 100\/2 048/);
    expect(table).toMatch(/sampler_processes 2 → 1 .*RangeError: Array buffer allocation failed\n/);
    expect(table).toMatch(/7 {2}train_round 4 {2}running/);
    const newest = await stored.thaw('get', RUN, '--limit', '2');
    expect(newest.stdout).not.toContain('SIGABRT');
    expect(newest.stdout).not.toContain('last words');
    expect(newest.stderr).toContain('5 older attempts more');
  });

  it('whole, in JSON', async () => {
    await seedHistory();
    const { attempts } = JSON.parse(await out('get', RUN, '-o', 'json')) as { attempts: Record<string, unknown>[] };
    const first = {
      number: 1,
      worker: 'lab-7',
      process_id: 4711,
      kind: 'train_round',
      round: 3,
      outcome: 'out_of_memory',
      try: 1,
      tries_max: 4,
      exit_code: null,
      signal: 'SIGABRT',
      peak_rss_mib: 2099.5,
      memory_limit_mib: 2048,
      sampler_processes: 2,
      chunk_rows: 600,
      next_change: 'sampler_processes 2 → 1',
      log_tail: LACK.logTail,
    };
    expect(attempts[0]).toMatchObject(first);
    expect(attempts.map((each) => each['outcome'])).toEqual([
      'out_of_memory',
      'lost',
      'error',
      'error',
      'error',
      'done',
    ]);
    expect(JSON.parse(await out('logs', RUN, '--attempt', '1', '-o', 'json'))).toMatchObject(first);
    const lines = (await out('logs', RUN, '-o', 'json')).trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as { at: string; attempt?: unknown; event?: string });
    expect(entries.filter((entry) => entry.attempt !== undefined)).toHaveLength(attempts.length);
    expect(entries.map(({ event }) => event)).toContain('closed');
  });
});
