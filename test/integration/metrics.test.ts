import getPort from 'get-port';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { startTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { OutageScene } from '../support/outage-scene.ts';

/** One run of two small rounds. */
const EXPERIMENT = [
  'variants={"pool":{"strategy":{"kind":"pool","size":2}}}',
  'seeds=[0]',
  'algorithm.parallel_environments=8',
  'budget={"rounds":2,"env_steps":400}',
  'evaluation={"every_rounds":2,"episodes":2,"final_episodes":2}',
];

let postgres: TestPostgres;
let temporal: TestTemporal;
let scene: OutageScene;
beforeAll(async () => {
  [postgres, temporal] = await Promise.all([startTestPostgres(), startTestTemporal()]);
  scene = await OutageScene.open({ postgres, temporal }, 'metrics', EXPERIMENT);
});
afterAll(async () => {
  await scene.close();
  await Promise.all([postgres.stop(), temporal.stop()]);
});

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{((?:[\w:]+="(?:[^"\\]|\\.)*",?)*)\})? (NaN|[+-]?Inf|[-+\d.eE]+)$/;

/** Samples by name and labels; every line must be a comment or a sample, and every sample must have a type. */
function parseMetrics(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '');
  const types = new Set(lines.flatMap((line) => /^# TYPE (\S+) \w+$/.exec(line)?.[1] ?? []));
  const samples = new Map<string, number>();
  for (const line of lines.filter((each) => !each.startsWith('#'))) {
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
    expect(name, line).toBeDefined();
    expect(
      [name!, name!.replace(/_(bucket|sum|count)$/, '')].some((each) => types.has(each)),
      line,
    ).toBe(true);
    samples.set(
      `${name}{${labels.split(',').filter(Boolean).sort().join(',')}}`,
      Number(value!.replace('Inf', 'Infinity')),
    );
  }
  return samples;
}

it('a worker tells what it has done in metrics and in lines that name the run, and ends when told', async () => {
  const port = await getPort({ host: '127.0.0.1' });
  const worker = scene.startWorker(['--metrics-port', String(port)]);
  const [run] = await scene.untilOver();
  const logged = (): Record<string, unknown>[] =>
    worker
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const told = await scene.until(async () =>
    logged().find(({ kind, outcome }) => kind === 'finish_run' && outcome === 'done'),
  );
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  const samples = parseMetrics(await answer.text());

  const rows = await scene.session.database.query(
    `select kind, count(*)::int as count from attempts where outcome = 'done' group by kind`,
  );
  expect(rows.rows.length).toBe(4);
  for (const row of rows.rows) {
    const [kind, count] = [row['kind'] as string, row['count'] as number];
    expect(samples.get(`thaw_attempts_total{kind="${kind}",outcome="done"}`)).toBe(count);
    expect(samples.get(`thaw_attempt_duration_seconds_count{kind="${kind}"}`)).toBe(count);
  }
  expect(samples.get('thaw_env_steps_total{}')).toBe(run!.envSteps);
  expect(samples.get('thaw_runs{state="SUCCEEDED"}')).toBe(1);
  expect(samples.get('thaw_task_queue_backlog{queue="train-cpu"}')).toBe(0);
  expect(samples.get('thaw_activity_slots{queue="evaluate",state="limit"}')).toBeGreaterThan(0);
  expect(samples.get('thaw_memory_limit_bytes{}')).toBeGreaterThan(0);
  const names = [...samples.keys()];
  for (const prefix of ['process_', 'nodejs_', 'temporal_']) {
    expect(
      names.some((name) => name.startsWith(prefix)),
      prefix,
    ).toBe(true);
  }

  expect(told).toMatchObject({
    name: 'worker',
    experiment: scene.experimentId,
    run: run!.id,
    variant: 'pool',
    seed: 0,
    round: 2,
    attempt: expect.any(Number),
  });
  const elsewhere = await fetch(`http://127.0.0.1:${port}/`);
  expect([elsewhere.status, await elsewhere.text()]).toEqual([404, 'Metrics are at GET /metrics.\n']);
});
