import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPORTED_TABLES } from '../../cli/export/exported-tables.ts';
import { MANIFEST_FILE } from '../../cli/export/export-manifest.ts';
import { listPolicyRuns } from '../../infra/postgres/policy-rows.ts';
import { createFilePolicy } from '../../cli/policies/file-policy.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { keyFrom, PURPOSE } from '../../simulators/random.ts';
import {
  AGAIN,
  type ExportedExperiments,
  LINEAGE,
  startExportedExperiments,
  TRAINED,
} from '../support/exported-experiments.ts';
import { type PythonEnvironment, pythonEnvironment } from '../support/python-environment.ts';
import { readWandbLog, valuesOf } from '../support/wandb-log-reader.ts';

let stored: ExportedExperiments;
let python: PythonEnvironment;
let folder: string;

beforeAll(async () => {
  python = await pythonEnvironment();
  stored = await startExportedExperiments();
  folder = path.join(stored.folder, 'export');
  const formats = 'csv,json,parquet,marl-eval,onnx,tensorboard,wandb';
  const outcome = await stored.thaw('export', TRAINED, folder, '--format', formats, '-o', 'json');
  expect(outcome.stderr).toBe('');
  written = JSON.parse(outcome.stdout);
}, 300_000);
afterAll(() => stored.stop());

let written: { folder: string; files: { file: string; rows: number | null; bytes: number }[]; notes: string[] };

const textOf = (...parts: string[]): string => readFileSync(path.join(folder, ...parts), 'utf8');
const jsonOf = <Value>(...parts: string[]): Value => JSON.parse(textOf(...parts)) as Value;

/** Fields of RFC 4180, line by line; null for an empty field without quotes. */
function parseCsv(text: string): (string | null)[][] {
  const lines: (string | null)[][] = [];
  let line: (string | null)[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    line.push(quoted?.replaceAll('""', '"') ?? (plain === '' ? null : plain!));
    if (end === ',') continue;
    lines.push(line);
    line = [];
  }
  return lines;
}

describe('the tables of an export', () => {
  it('tell what was written, with bytes and rows as they are', () => {
    for (const { name } of EXPORTED_TABLES) {
      for (const format of ['csv', 'json', 'parquet']) {
        const file = written.files.find((each) => each.file === `${name}.${format}`)!;
        expect(file.bytes, file.file).toBe(readFileSync(path.join(folder, file.file)).length);
        if (format === 'json') expect(file.rows).toBe(jsonOf<unknown[]>(file.file).length);
      }
    }
    expect(existsSync(path.join(folder, MANIFEST_FILE))).toBe(true);
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it.each(EXPORTED_TABLES.map((table) => [table.name, table] as const))(
    'hold the same in CSV, JSON and Parquet, with the columns that are documented: %s',
    async (name, { columns }) => {
      const both = path.join(stored.folder, 'both');
      if (!existsSync(both)) {
        const { exitCode } = await stored.thaw('export', TRAINED, LINEAGE, AGAIN, both, '--format', 'csv,json,parquet');
        expect(exitCode).toBe(0);
      }
      const rows = JSON.parse(readFileSync(path.join(both, `${name}.json`), 'utf8')) as Record<string, unknown>[];
      expect(rows.length).toBeGreaterThan(0);
      const [head, ...lines] = parseCsv(readFileSync(path.join(both, `${name}.csv`), 'utf8'));
      expect(head).toEqual(columns.map(({ key }) => key));
      expect(lines).toHaveLength(rows.length);
      const objects = await parquetReadObjects({ file: await asyncBufferFromFile(path.join(both, `${name}.parquet`)) });
      expect(objects).toHaveLength(rows.length);
      for (const [index, row] of rows.entries()) {
        expect(Object.keys(row)).toEqual(head);
        for (const [place, { key, kind }] of columns.entries()) {
          const text = lines[index]![place]!;
          const cell = row[key] as string | number | boolean | null;
          const parquet: unknown = objects[index]![key];
          if (cell === null) {
            expect([text, parquet], `${key} ${index}`).toEqual([null, null]);
          } else if (kind === 'json') {
            expect([JSON.parse(text), JSON.parse(parquet as string)]).toEqual([cell, cell]);
          } else if (kind === 'timestamp') {
            expect(text).toBe(cell);
            expect(parquet).toEqual(new Date(cell as string));
          } else if (kind === 'double') {
            expect([Number(text), parquet]).toEqual([Number(cell), Number(cell)]);
          } else {
            expect([text, String(parquet)]).toEqual([String(cell), String(cell)]);
          }
        }
      }
    },
  );

  it('tell NaN, infinities, minus zero and what is not measured apart', async () => {
    const rows = jsonOf<{ metric: string; value: unknown }[]>('metrics.json');
    const valueOf = (metric: string) => rows.find((row) => row.metric === metric)!.value;
    expect(['not_a_number', 'endless', 'endless_down'].map(valueOf)).toEqual(['NaN', 'Infinity', '-Infinity']);
    expect(textOf('metrics.json')).toContain('"metric":"zero_down","value":-0.0}');
    expect(textOf('metrics.csv')).toMatch(/,not_a_number,NaN\r\n/);
    expect(textOf('metrics.csv')).toMatch(/,zero_down,-0\.0\r\n/);
    const objects = await parquetReadObjects({ file: await asyncBufferFromFile(path.join(folder, 'metrics.parquet')) });
    expect(objects.find(({ metric }) => metric === 'zero_down')!.value).toBe(-0);
    const run = jsonOf<{ specialist_regret: unknown }[]>('runs.json')[0]!;
    expect(run.specialist_regret).toBeNull();
  });

  it('have for a SKIPPED run the rows of the run that it is equal to', () => {
    const file = path.join(stored.folder, 'both', 'evaluations.json');
    const rows = JSON.parse(readFileSync(file, 'utf8')) as { experiment: string }[];
    const of = (id: string) =>
      rows.filter(({ experiment }) => experiment === id).map((row) => ({ ...row, experiment: '' }));
    expect(of(AGAIN)).toEqual(of(TRAINED));
    expect(of(AGAIN).length).toBeGreaterThan(0);
  });

  it('keep the order of the spec, and every digit of an episode', async () => {
    const episodes =
      jsonOf<{ variant: string; seed: number; round: number; episode: number; return: number }[]>('episodes.json');
    const { rows } = await stored.database.query(
      `select r.variant, r.seed, e.round, e.episode, e.return from episodes e join runs r on r.id = e.run_id
         join variants v on v.experiment_id = r.experiment_id and v.name = r.variant where r.experiment_id = $1
        order by v.position, r.seed, e.round, e.checkpoint, e.panel, e.position, e.episode`,
      [TRAINED],
    );
    expect(
      episodes.map(({ variant, seed, round, episode, return: value }) => ({
        variant,
        seed,
        round,
        episode,
        return: value,
      })),
    ).toEqual(rows);
  });
});

describe('the folder of an export', () => {
  it('is not one that holds anything else, unless it is said', async () => {
    const other = path.join(stored.folder, 'other');
    await mkdir(other);
    await writeFile(path.join(other, 'mine.txt'), 'mine');
    const refused = await stored.thaw('export', LINEAGE, other);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain('--force');
    expect(readdirSync(other)).toEqual(['mine.txt']);
    expect((await stored.thaw('export', LINEAGE, other, '--force')).exitCode).toBe(0);
    expect(readdirSync(other)).toEqual(expect.arrayContaining(['mine.txt', 'runs.csv', MANIFEST_FILE]));
    // An export may be written anew: what the earlier one had beside is gone, what is somebody's stays.
    expect((await stored.thaw('export', LINEAGE, other, '--format', 'json')).exitCode).toBe(0);
    expect(readdirSync(other)).toEqual(expect.arrayContaining(['mine.txt', 'runs.json']));
    expect(readdirSync(other)).not.toContain('runs.csv');
  });

  it('needs an experiment and a format that there is', async () => {
    expect(await stored.thaw('export', 'only-one')).toMatchObject({ exitCode: 2 });
    expect((await stored.thaw('export', TRAINED, 'x', '--format', 'xml')).stderr).toContain('marl-eval');
    expect(await stored.thaw('export', 'nobody', path.join(stored.folder, 'x'))).toMatchObject({ exitCode: 2 });
  });
});

describe('marl-eval', () => {
  it('processes the export, and finds in it what was measured', async () => {
    const program = `
import json, sys
from marl_eval.utils.data_processing_utils import create_matrices_for_rliable, data_process_pipeline
data = data_process_pipeline(json.load(open(sys.argv[1])), ["return"])
metrics, curves = create_matrices_for_rliable(data, "simple_spread", ["return"])
print(json.dumps({
  "metrics": {name: {algorithm: array.tolist() for algorithm, array in by.items()} for name, by in metrics.items()},
  "curves": {algorithm: list(array.shape) for algorithm, array in curves["mean_norm_return"].items()},
}))`;
    const read = JSON.parse(await python.run(program, [path.join(folder, 'marl-eval.json')]));
    const episodes = jsonOf<Record<string, unknown>[]>('evaluations.json');
    const lengthOf = (variant: string, seed: number, simulator: string) =>
      episodes.find(
        (row) =>
          row['variant'] === variant &&
          row['seed'] === seed &&
          row['checkpoint'] === 'best' &&
          row['simulator'] === simulator,
      )!['length_mean'];
    for (const variant of ['frozen', 'pool']) {
      // Runs × tasks, and steps beside for curves: four evaluations, the untrained policy's included.
      expect(read.metrics.mean_length[variant]).toEqual(
        [0, 1].map((seed) => ['far', 'near'].map((name) => lengthOf(variant, seed, name))),
      );
      expect(read.curves[variant]).toEqual([2, 2, 4]);
    }
  });

  it('gets whole runs only, and is told which are not', async () => {
    const outcome = await stored.thaw('export', LINEAGE, path.join(stored.folder, 'none'), '--format', 'marl-eval');
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stderr).toContain('no variant');
  });
});

describe('Weights & Biases', () => {
  it('has an offline run of every run: each round a step with the numbers of the tables, settings, and the result', () => {
    const logs = written.files.filter(({ file }) => file.startsWith('wandb/'));
    expect(logs.map(({ file }) => /^wandb\/offline-run-\d{8}_\d{6}-(\w+)\/run-\1\.wandb$/.test(file))).toEqual(
      logs.map(() => true),
    );
    const runs = logs.map(({ file }) => readWandbLog(readFileSync(path.join(folder, file))));
    const named = runs.map((records) => records.find(({ run }) => run !== undefined)!.run!);
    expect(named.map(({ display_name: name }) => name)).toEqual(['frozen/0', 'frozen/1', 'pool/0', 'pool/1']);
    expect(named[3]).toMatchObject({ project: 'trained', run_group: 'pool', notes: `${TRAINED}/pool/1` });
    expect(valuesOf(named[3]!.config.update)).toMatchObject({
      seed: 1,
      algorithm: { name: 'ippo', hidden_sizes: [8] },
    });
    const steps = runs[3]!.flatMap(({ history }) => (history === undefined ? [] : [valuesOf(history.item)]));
    const ofRun = <Value extends { variant: string; seed: number }>(rows: Value[]) =>
      rows.filter(({ variant, seed }) => variant === 'pool' && seed === 1);
    type Score = { variant: string; seed: number; round: number; checkpoint: string; heldout_return: number };
    const scores = ofRun(jsonOf<Score[]>('scores.json')).filter(({ checkpoint }) => checkpoint === 'round');
    expect(steps.map((step) => [step['_step'], step['scores/heldout_return']])).toEqual(
      scores.map(({ round, heldout_return }) => [round, heldout_return]),
    );
    const rounds = ofRun(jsonOf<{ variant: string; seed: number; env_steps: number }[]>('rounds.json'));
    expect(steps.slice(1).map((step) => step['env_steps'])).toEqual(rounds.map(({ env_steps }) => env_steps));
    const [row] = ofRun(
      jsonOf<{ variant: string; seed: number; heldout_return: number; verdict: string }[]>('runs.json'),
    );
    const summary = runs[3]!.find((record) => record.summary !== undefined)!.summary!;
    expect(valuesOf(summary.update)).toMatchObject({
      'result/heldout_return': row!.heldout_return,
      verdict: row!.verdict,
      state: 'SUCCEEDED',
    });
    expect(runs[3]!.at(-1)!.exit!.exit_code ?? 0).toBe(0);
  });
});

describe('TensorBoard', () => {
  it('reads the event files: every scalar at its env steps', async () => {
    const program = `
import json, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
events = EventAccumulator(sys.argv[1], size_guidance={"scalars": 0, "tensors": 0}); events.Reload()
print(json.dumps({
  "scalars": {tag: [[e.step, repr(e.value), e.wall_time] for e in events.Scalars(tag)] for tag in events.Tags()["scalars"]},
  "texts": {tag: [e.tensor_proto.string_val[0].decode() for e in events.Tensors(tag)] for tag in events.Tags()["tensors"]},
  "plugin": events.SummaryMetadata("settings").plugin_data.plugin_name,
}))`;
    const text = await python.run(program, [path.join(folder, 'tensorboard', TRAINED, 'frozen', '0')]);
    const {
      scalars: read,
      texts,
      plugin,
    } = JSON.parse(text) as {
      scalars: Record<string, [step: number, value: string, wallTimeS: number][]>;
      texts: Record<string, string[]>;
      plugin: string;
    };
    expect(plugin).toBe('text');
    expect(texts['settings']![0]).toContain('\n| algorithm.learning_rate | 0.01 |\n');
    const steps = new Map(
      jsonOf<{ variant: string; seed: number; round: number; env_steps: number }[]>('rounds.json')
        .filter(({ variant, seed }) => variant === 'frozen' && seed === 0)
        .map(({ round, env_steps }) => [round, env_steps]),
    );
    const scores = jsonOf<
      { variant: string; seed: number; round: number; checkpoint: string; heldout_return: number }[]
    >('scores.json').filter(
      ({ variant, seed, checkpoint }) => variant === 'frozen' && seed === 0 && checkpoint === 'round',
    );
    expect(read['scores/heldout_return']!.map(([step, value]) => [step, Number(value)])).toEqual(
      scores.map(({ round, heldout_return }) => [steps.get(round) ?? 0, Math.fround(heldout_return)]),
    );
    const rounds = jsonOf<Record<string, number | string>[]>('rounds.json').filter(
      ({ variant, seed }) => variant === 'frozen' && seed === 0,
    );
    expect(read['memory/peak_rss_mib']!.map(([, value]) => Number(value))).toEqual(
      rounds.map((row) => Math.fround(row['peak_rss_mib'] as number)),
    );
    const clock = read['time/round_s']!.map(([, , wallTimeS]) => wallTimeS);
    for (const [index, row] of rounds.slice(1).entries()) {
      expect(clock[index + 1]! - clock[index]!).toBeCloseTo(row['wall_s'] as number, 5);
    }
    expect(read['metrics/not_a_number']![0]![1]).toBe('nan');
    expect(read['metrics/endless']![0]![1]).toBe('inf');
    expect(Object.keys(read)).toEqual(
      expect.arrayContaining(['test/far/return', 'validation/top/success', 'training/zero/return']),
    );
  });
});

describe('ONNX policies', () => {
  it('are those of the last and of the best checkpoint of every run, and act in Python as they do here', async () => {
    const policies = jsonOf<
      { file: string; variant: string; seed: number; checkpoint: string; round: number; observation_size: number }[]
    >('onnx', 'policies.json');
    const runs = await listPolicyRuns(stored.database, TRAINED);
    expect(policies.map(({ variant, seed, checkpoint, round }) => [variant, seed, checkpoint, round])).toEqual(
      runs.flatMap(({ variant, seed, lastRound, bestRound }) => [
        [variant, seed, 'last', lastRound],
        [variant, seed, 'best', bestRound],
      ]),
    );
    // Some best policy is none that the run stored, or it would not be known that it was made anew.
    expect(runs.some(({ lastRound, bestRound }) => lastRound !== bestRound)).toBe(true);
    const world = openWorld(stored.trained.variants['frozen']!, DEFAULT_REGISTRIES);
    const simulator = stored.trained.variants['frozen']!.simulators['far']!;
    const chosen = await Promise.all(
      policies.map(({ file }) => playedHere(world, simulator, path.join(folder, 'onnx', file))),
    );
    const program = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("example", sys.argv[1]); example = importlib.util.module_from_spec(spec); spec.loader.exec_module(example)
told = json.loads(sys.argv[2]); actions = []
for policy, rows in zip(example.POLICIES, told):
    actions.append(example.Policy(policy, rows["seats"]).act(rows["observations"]).tolist())
print(json.dumps(actions))`;
    const told = JSON.stringify(chosen.map(({ observations, seats }) => ({ observations, seats })));
    const acted = JSON.parse(await python.run(program, [path.join(folder, 'onnx', 'example.py'), told]));
    expect(acted).toEqual(chosen.map(({ actions }) => actions));
    expect(new Set(chosen.flatMap(({ actions }) => actions)).size).toBeGreaterThan(1);
  });

  it('come with an example that runs as it is, and a page that says what goes in', async () => {
    const printed = await python.run(`import runpy, sys; runpy.run_path(sys.argv[1], run_name="__main__")`, [
      path.join(folder, 'onnx', 'example.py'),
    ]);
    expect(printed).toMatch(/^seat \d+ \(.+\): .+/);
    expect(textOf('onnx', 'README.md')).toContain('## simple_spread, group 0');
  });
});

/** What a policy sees and does in the seats it acts for, over an episode. */
async function playedHere(
  world: ReturnType<typeof openWorld>,
  simulator: Parameters<typeof world.compile>[0],
  file: string,
) {
  const policy = await createFilePolicy(file, world);
  const batch = world.createBatch(1);
  batch.reset(0, world.compile({ ...simulator, partners: {} }), keyFrom(3, PURPOSE.evaluation, 0));
  const { observationSize, seats } = world.groups[0]!;
  const rows = new Float64Array(seats.length * observationSize);
  const observations: number[][] = [];
  const actions: number[] = [];
  while (batch.ended[0] === 0 && batch.truncated[0] === 0) {
    batch.observe(0, rows);
    const given = new Int32Array(world.seatCount);
    await policy.act(batch, given);
    for (const [place, seat] of seats.entries()) {
      observations.push([...rows.subarray(place * observationSize, (place + 1) * observationSize)]);
      actions.push(given[seat]!);
    }
    await batch.step(given);
  }
  await policy.release();
  return { observations, actions, seats: observations.map((_, index) => seats[index % seats.length]!) };
}

describe('the Python reader', () => {
  it('makes three lines a frame, from a folder in each format, and through the program', async () => {
    const program = `
import json, math, sys, pandas
sys.path.insert(0, sys.argv[1])
import thaw_results
def told(frame):
    return [[None if value is pandas.NA else str(value) if isinstance(value, float) and not math.isfinite(value) else value for value in row] for row in frame.astype(object).itertuples(index=False)]
frames = {}
for name in ("csv", "json", "parquet"):
    frames[name] = told(thaw_results.read(sys.argv[2], "metrics", format=name))
runs = thaw_results.read("${TRAINED}", program=sys.argv[3])
latest = thaw_results.read(sys.argv[4], experiment="${TRAINED}", program=sys.argv[3])
plain = thaw_results.read(sys.argv[2], plain=True)
different = [name for name in thaw_results.tables(sys.argv[2]) for other in ("json", "parquet")
    if not thaw_results.read(sys.argv[2], name, format="csv").equals(thaw_results.read(sys.argv[2], name, format=other))]
print(json.dumps({"frames": frames, "runs": runs["run"].tolist(), "same": runs.equals(latest), "means": runs.groupby("variant")["heldout_return"].mean().tolist(),
  "missing": int(runs["specialist_regret"].isna().sum()), "different": different, "plain": [str(plain[key].dtype) for key in ("heldout_return", "rise_then_fall", "variant", "reason")],
  "plain_missing": str(plain["reason"].iloc[0]), "tables": thaw_results.tables(sys.argv[2]),
  "kinds": {key: str(value) for key, value in runs.dtypes.items()}}))`;
    const { command, env } = stored.program;
    const args = [path.resolve('python'), folder, command, stored.url];
    const read = JSON.parse(await python.run(program, args, env));
    const metrics = jsonOf<Record<string, unknown>[]>('metrics.json').map((row) =>
      Object.values(row).map((cell) => ({ NaN: 'nan', Infinity: 'inf', '-Infinity': '-inf' })[String(cell)] ?? cell),
    );
    for (const format of ['csv', 'json', 'parquet']) expect(read.frames[format], format).toEqual(metrics);
    const runs = jsonOf<{ run: string; variant: string; heldout_return: number }[]>('runs.json');
    expect(read.runs).toEqual(runs.map(({ run }) => run));
    expect(read.same).toBe(true);
    expect(read.different).toEqual([]);
    expect(read.missing).toBe(runs.length);
    expect(read.plain).toEqual(['float64', 'bool', 'object', 'object']);
    expect(read.plain_missing).toBe('nan');
    expect(read.tables).toEqual(EXPORTED_TABLES.map(({ name }) => name));
    expect(read.kinds).toMatchObject({
      variant: 'string',
      seed: 'Int64',
      heldout_return: 'Float64',
      rise_then_fall: 'boolean',
    });
  });
});
