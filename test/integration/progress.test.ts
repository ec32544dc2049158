import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installationRoot } from '../../infra/installation.ts';
import { insertExperimentEvent, insertRunEvent } from '../../infra/postgres/event-rows.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { listRuns, setRunState } from '../../infra/postgres/run-rows.ts';
import { startOnTerminal } from '../support/pseudo-terminal.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';
import { useStoredCommandLine } from '../support/stored-command-line.ts';

const stored = useStoredCommandLine();
const ID = 'example-1';
const RUN = runId(ID, 'pool', 0);
const CTRL_C = '\u0003';

beforeEach(async () => void (await seedExperiment(stored.database)));

async function cancelTheRest(): Promise<void> {
  for (const { id } of await listRuns(stored.database, ID)) {
    await setRunState(stored.database, id, 'CANCELLED', 'enough');
  }
}

describe('watch on a terminal', () => {
  it('draws counts, returns and what is in hand anew, also when the terminal is resized, and ends with the states', async () => {
    const watch = await startOnTerminal(['watch', ID], stored.env);
    await watch.until('example-1  0 of 4 runs done, 0 %');
    await watch.until('4 QUEUED');
    await finishRun(stored.database, RUN);
    await watch.until('1 of 4 runs done');
    await watch.until('3 QUEUED, 1 SUCCEEDED');
    await watch.until('test return so far: ');
    watch.resize({ columns: 24, rows: 30 });
    await watch.until('example-1  1 of 4 runs …');
    await cancelTheRest();
    await watch.until('1 SUCCEEDED, 3 CANCELLED');
    expect(await watch.exitCode).toBe(4);
  });

  it('is left with Ctrl-C, and says that the experiment goes on', async () => {
    const watch = await startOnTerminal(['watch', ID], stored.env);
    await watch.until('4 QUEUED');
    watch.type(CTRL_C);
    await watch.until('Leaving; example-1 goes on.');
    expect(await watch.exitCode).toBe(130);
    expect((await listRuns(stored.database, ID)).map(({ state }) => state)).toEqual(Array(4).fill('QUEUED'));
  });

  it('tells lines where the terminal cannot go up', async () => {
    const watch = await startOnTerminal(['watch', ID], { ...stored.env, TERM: 'dumb' });
    await watch.until('example-1  0 of 4 runs done, 0 %\r\n');
    watch.type(CTRL_C);
    await watch.exitCode;
    expect(watch.output()).not.toContain('\u001b');
  });
});

describe('logs', () => {
  const followers: ChildProcess[] = [];
  afterEach(() => void followers.splice(0).map((each) => each.kill('SIGKILL')));

  /** The program with its lines as they come. */
  function follow(...args: string[]) {
    const main = path.join(installationRoot(), 'dist/cli/main.js');
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [main, 'logs', ...args], {
      env: { PATH, ...stored.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    followers.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const closed = once(child, 'close') as Promise<[number | null]>;
    return {
      next: async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>,
      interrupt: () => void child.kill('SIGINT'),
      exitCode: closed.then(([code]) => code),
    };
  }

  it('-f tells what happens until nothing goes on by itself, and then the states', async () => {
    for (const message of ['first', 'second']) await insertExperimentEvent(stored.database, ID, 'told', message);
    const log = follow(ID, '-f', '-n', '1', '-o', 'json');
    expect(await log.next()).toMatchObject({ event: 'told', message: 'second' });
    await insertRunEvent(stored.database, RUN, 'told', 'third');
    expect(await log.next()).toMatchObject({ run: RUN, event: 'told', message: 'third' });
    await cancelTheRest();
    expect(await log.next()).toEqual({ experiment: ID, state: { CANCELLED: 4 } });
    expect(await log.exitCode).toBe(0);
  });

  it('-f of one run ends with that run; Ctrl-C ends the telling, and the others go on', async () => {
    await insertRunEvent(stored.database, RUN, 'told', 'of one');
    const [whole, one] = [follow(ID, '-f', '-n', '1', '-o', 'json'), follow(RUN, '-f', '-n', '1', '-o', 'json')];
    expect(await one.next()).toMatchObject({ message: 'of one' });
    expect(await whole.next()).toMatchObject({ message: 'of one' });
    await setRunState(stored.database, RUN, 'CANCELLED', 'enough');
    expect(await one.next()).toEqual({ run: RUN, state: { CANCELLED: 1 } });
    expect(await one.exitCode).toBe(0);
    whole.interrupt();
    expect(await whole.exitCode).toBe(0);
    const states = (await listRuns(stored.database, ID)).map(({ state }) => state);
    expect(states.filter((state) => state === 'QUEUED')).toHaveLength(3);
  });

  it('--since leaves out what is older', async () => {
    await insertExperimentEvent(stored.database, ID, 'told', 'long ago');
    await stored.database.query(`update events set at = at - interval '2 hours'`);
    await insertExperimentEvent(stored.database, ID, 'told', 'just now');
    const { stdout } = await stored.thaw('logs', ID, '--since', '1h');
    expect(stdout).toContain('just now');
    expect(stdout).not.toContain('long ago');
    const all = await stored.thaw('logs', ID, '--since', '2020-01-01T00:00:00Z');
    expect(all.stdout).toContain('long ago');
  });
});
