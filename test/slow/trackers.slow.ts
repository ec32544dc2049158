import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mirrorExperiment, type Telling } from '../../activities/mirrors/mirror-experiment.ts';
import { claimMirrors } from '../../infra/postgres/mirror-rows.ts';
import { type ExportedExperiments, startExportedExperiments, TRAINED } from '../support/exported-experiments.ts';
import { pythonEnvironment } from '../support/python-environment.ts';
import { WandbStandIn } from '../support/wandb-server.ts';

// The real server of MLflow and the real client of Weights & Biases, beside which the gate has stand-ins.

const execute = promisify(execFile);
const POLL_MS = 200;

let python: string;
let folder: string;
let stored: ExportedExperiments;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'thaw-trackers-'));
  python = (await pythonEnvironment('trackers')).interpreter;
  stored = await startExportedExperiments();
}, 1_800_000);
afterAll(async () => {
  await stored.stop();
  rmSync(folder, { recursive: true });
});

interface Row {
  readonly variant: string;
  readonly seed: number;
  readonly round: number;
  readonly checkpoint: string;
  readonly heldout_return: number;
}

/** Held-out returns of a run after its evaluated rounds. */
async function heldoutReturns(variant: string, seed: number): Promise<number[]> {
  const { rows } = await stored.database.query(
    `select c.heldout_return from checkpoint_scores c join runs r on r.id = c.run_id
      where r.experiment_id = $1 and r.variant = $2 and r.seed = $3 and c.checkpoint = 'round' order by c.round`,
    [TRAINED, variant, seed],
  );
  return rows.map((row) => (row as unknown as Row).heldout_return);
}

describe('the server of MLflow', () => {
  let server: ChildProcess;
  let url: string;
  beforeAll(async () => {
    const port = await getPort({ host: '127.0.0.1' });
    url = `http://127.0.0.1:${port}`;
    const store = ['--backend-store-uri', `sqlite:///${folder}/mlflow.db`, '--default-artifact-root', folder];
    const args = ['-m', 'mlflow', 'server', ...store, '--host', '127.0.0.1', '--port', String(port), '--workers', '1'];
    server = spawn(python, args, { stdio: 'ignore', env: plainEnvironment(), detached: true });
    while (
      !(await fetch(`${url}/health`)
        .then(({ ok }) => ok)
        .catch(() => false))
    )
      await delay(POLL_MS);
  }, 180_000);
  afterAll(async () => {
    process.kill(-server.pid!, 'SIGTERM');
    await once(server, 'exit');
  });

  const ask = async <Answer>(call: string, body?: object): Promise<Answer> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${url}/api/2.0/mlflow/${call}`, body === undefined ? {} : init);
    return (await response.json()) as Answer;
  };

  /** What a run was told of one number, in the order of steps; what was told twice is there twice. */
  async function historyOf(id: string, key: string): Promise<[step: number, value: unknown][]> {
    const query = new URLSearchParams({ run_id: id, metric_key: key }).toString();
    const { metrics } = await ask<{ metrics?: { step: number; value: unknown }[] }>(`metrics/get-history?${query}`);
    return (metrics ?? []).map(({ step, value }): [number, unknown] => [step, value]).sort(([a], [b]) => a - b);
  }

  it('takes all that it is told, and nothing twice when what we remember of it is lost', async () => {
    const mirrors = [{ kind: 'mlflow', url }];
    await stored.database.query(
      `update experiments set execution = (execution::jsonb || jsonb_build_object('mirrors', $2::jsonb))::json where id = $1`,
      [TRAINED, JSON.stringify(mirrors)],
    );
    const telling: Telling = {
      database: stored.database,
      worker: 'worker:1',
      leaseS: 60,
      requestTimeoutMs: 30_000,
      authorization: () => null,
      signal: new AbortController().signal,
    };
    for (let times = 0; times < 2; times += 1) {
      await stored.database.query('delete from mirrors');
      const [key] = await claimMirrors(stored.database, { ...telling, limit: 1 });
      await mirrorExperiment(telling, key!);
      const { rows } = await stored.database.query('select problem from mirrors');
      expect(rows).toEqual([{ problem: null }]);
    }
    const { experiment } = await ask<{ experiment: { experiment_id: string } }>(
      'experiments/get-by-name?experiment_name=trained',
    );
    const { runs } = await ask<{
      runs: {
        info: { run_id: string; run_name: string; status: string };
        data: { params: { key: string; value: string }[] };
      }[];
    }>('runs/search', { experiment_ids: [experiment.experiment_id] });
    expect(runs.map(({ info }) => `${info.run_name} ${info.status}`).sort()).toEqual(
      ['frozen/0', 'frozen/1', 'pool/0', 'pool/1'].map((name) => `${name} FINISHED`),
    );
    for (const { info, data } of runs) {
      const [variant, seed] = info.run_name.split('/') as [string, string];
      expect(data.params).toContainEqual({ key: 'algorithm.name', value: 'ippo' });
      const told = await historyOf(info.run_id, 'scores/heldout_return');
      expect(told.map(([, value]) => value)).toEqual(await heldoutReturns(variant, Number(seed)));
    }
    const odd = runs.find(({ info }) => info.run_name === 'frozen/0')!.info.run_id;
    expect(await historyOf(odd, 'metrics/not_a_number')).toEqual([[200, 'NaN']]);
  }, 120_000);
});

describe('`wandb sync`', () => {
  it('uploads offline runs whole', async () => {
    const standIn = new WandbStandIn();
    const url = await standIn.listen();
    const exported = path.join(folder, 'export');
    const outcome = await stored.thaw('export', TRAINED, exported, '--format', 'wandb');
    expect(outcome.exitCode, outcome.stderr).toBe(0);
    const runs = readdirSync(path.join(exported, 'wandb')).map((name) => path.join(exported, 'wandb', name));
    const env = { ...plainEnvironment(), WANDB_BASE_URL: url, WANDB_API_KEY: 'k'.repeat(40) };
    await execute(python, ['-m', 'wandb', 'sync', '--yes', ...runs], { cwd: folder, env, timeout: 120_000 });
    await standIn.close();
    const uploaded = [...standIn.runs.values()];
    expect(uploaded.map(({ about }) => about['displayName']).sort()).toEqual([
      'frozen/0',
      'frozen/1',
      'pool/0',
      'pool/1',
    ]);
    for (const { about, history, summary, exitCode } of uploaded) {
      const [variant, seed] = (about['displayName'] as string).split('/') as [string, string];
      expect(about).toMatchObject({ project: 'trained', groupName: variant });
      expect(exitCode).toBe(0);
      const parsed = history.map((line) => JSON.parse(withoutOdd(line)) as Record<string, number>);
      const expected = await heldoutReturns(variant, Number(seed));
      expect(parsed.map((step) => step['scores/heldout_return'])).toEqual(expected);
      expect(JSON.parse(withoutOdd(summary))).toMatchObject({ state: 'SUCCEEDED' });
      const config = JSON.parse(about['config'] as string) as Record<string, { value: unknown }>;
      expect(config['seed']!.value).toBe(Number(seed));
    }
  }, 180_000);
});

/** What Python writes for numbers that are none is not JSON. */
function withoutOdd(text: string): string {
  return text.replaceAll(/:(NaN|-?Infinity)/g, ':"$1"');
}

/** Their own folders are ours, too. */
function plainEnvironment(): Record<string, string> {
  const { PATH = '' } = process.env;
  return { PATH, HOME: folder, TMPDIR: folder };
}
