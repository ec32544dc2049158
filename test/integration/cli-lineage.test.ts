import { beforeEach, describe, expect, it } from 'vitest';
import { listDiagnosedRuns } from '../../infra/postgres/diagnosis-rows.ts';
import { listLineages } from '../../infra/postgres/lineage-rows.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { SimulatorDistances } from '../../specification/simulator-distances.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';
import { EPISODES, FIRST_DECISION, GAIN, SECOND_DECISION, seedLineage } from '../support/seeded-lineage.ts';
import { resolved, specDocument } from '../support/spec-document.ts';
import { useStoredCommandLine } from '../support/stored-command-line.ts';

const variant = resolved(specDocument()).variants['pool']!;
const run = runId('example-1', 'pool', 0);
const stored = useStoredCommandLine();
let hashes: Record<string, string>;

beforeEach(async () => {
  await seedExperiment(stored.database);
  hashes = await seedLineage(stored.database, run, variant);
});

/** What the program prints without complaint. */
async function look(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await stored.thaw('simulators', ...args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

const rowsOf = async (...args: string[]) => JSON.parse(await look(...args, '-o', 'json')) as Record<string, unknown>[];

/** The line of a table that begins with a simulator, whatever branch it hangs on. */
const lineOf = (text: string, name: string): string =>
  text.split('\n').find((line) => line.replace(/^[│├└─ ]+/, '').startsWith(`${name} `)) ?? '';

describe('thaw simulators RUN', () => {
  it('is a tree: children under parents, the failing validation simulator with its failure above what was made of it', async () => {
    const text = await look(run);
    const branches = text.split('\n').flatMap((line) => /^([│├└─ ]*)(failure \S+|\S+) /.exec(line)?.slice(1) ?? []);
    const tree = ['', 'zero', '', 'left', '', 'top', '└─ ', 'failure 2.1', '   └─ ', 'top~1', '      └─ ', 'top~2'];
    expect(branches.join('|')).toContain(tree.join('|'));
    expect(text).toContain('4 simulators entered, 1 left, 2 made from failures, 2 generations deep');
    expect(text).not.toContain('zero~3');
    expect(text).toContain(`thaw simulators ${run} NAME`);
  });

  it('tells of each when it was trained on, what it taught, and why it came and went', async () => {
    const text = await look(run);
    const returns = (round: number, position: number) => (-20 - 10 * position + GAIN * round).toFixed(2);
    const lesson = (first: number, last: number, position: number) =>
      `${returns(first, position)} → ${returns(last, position)}`;
    const expected = {
      zero: [hashes['zero']!.slice(0, 8), '1–', '0.50', String(5 * EPISODES), lesson(1, 5, 0), 'chose zero'],
      left: [
        `1–${FIRST_DECISION}`,
        String(2 * EPISODES),
        lesson(1, 2, 1),
        '0.06',
        'left after round 2: taught the least',
      ],
      top: ['validation panel, not in the pool itself'],
      'failure 2.1': ['mined in round 2', 'return -35.00', 'turned at step 1'],
      'top~1': [`${FIRST_DECISION + 1}–`, '0.25', lesson(3, 5, 1), '0.38', 'most to learn [failure 2.1]'],
      'top~2': [`${SECOND_DECISION + 1}–`, String(EPISODES), lesson(5, 5, 2)],
    };
    for (const [name, words] of Object.entries(expected)) {
      for (const word of words) expect(lineOf(text, name), name).toContain(word);
    }
  });

  it('says of a failure where it turned only if a critic told', async () => {
    await stored.database.query(`update failures set key_moment = 0, critic_values = '{NaN,NaN,0}'`);
    const line = lineOf(await look(run), 'failure 2.1');
    expect(line).toContain('return -35.00, score 0.13, group 0');
    expect(line).not.toContain('turned');
  });

  it('with --candidates shows also those that were refused, with score and why', async () => {
    const line = lineOf(await look(run, '--candidates'), 'zero~3');
    expect(line).toContain(`refused in round ${FIRST_DECISION}: too easy`);
    expect(line).toContain('score not measured, novelty 0.25, return -3.00 in 16 probe episodes');
  });

  it('gives programs a row for every simulator with everything', async () => {
    const rows = await rowsOf(run, '--candidates');
    expect(rows.map((row) => row['simulator'])).toEqual(['zero', 'left', 'top~1', 'top~2', 'zero~3']);
    expect(rows[1]).toMatchObject({
      ...{ variant: 'pool', seed: 0, round: 0, weight: 0.5, parents: '', hash: hashes['left'], failure: null },
      ...{ left_round: FIRST_DECISION, left_reason: 'taught the least', contribution: 0.0625 },
      ...{ episodes: 2 * EPISODES, first_round: 1, last_round: 2, first_shortfall: 7, last_shortfall: 6 },
    });
    expect(rows[2]).toMatchObject({ parents: 'top', failure: '2.1', score: 0.75, left_round: null, refusal: null });
    expect(rows[4]).toMatchObject({ round: null, refusal: 'too easy', score: 'NaN', probe_episodes: 16 });
    expect(await rowsOf(run)).toEqual(rows.slice(0, 4));
  });

  it('lists pools by round as before, when asked to', async () => {
    const csv = await look('example-1', '--by', 'round', '-o', 'csv');
    const [head, ...lines] = csv.trim().split('\r\n');
    expect(head).toMatch(/^variant,seed,round,simulator,weight,parents,reason,hash/);
    expect(lines).toHaveLength(2 + 2 + 3);
    const wrong = await stored.thaw('simulators', run, '--by', 'round', '--distances');
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--by round') as string });
  });

  it('of a run that was skipped for an equal one is that of the equal one', async () => {
    await finishRun(stored.database, run);
    await seedExperiment(stored.database, { id: 'again', overrides: ['name=again'] });
    await stored.database.query(`update runs set state = 'SKIPPED', same_as = $1 where id = 'again/pool/0'`, [run]);
    const [own] = await listLineages(stored.database, [run], { refused: true });
    const [again] = await listLineages(stored.database, ['again/pool/0'], { refused: true });
    expect(again).toEqual({ ...own, runId: 'again/pool/0' });
    expect(await look('again/pool/0', 'top~1')).toContain(`--failure ${run}:2.1`);
  });
});

describe('thaw simulators EXPERIMENT', () => {
  it('is a line for every run when there are several, and says how to see one', async () => {
    const second = runId('example-1', 'frozen', 1);
    await finishRun(stored.database, second);
    const text = await look('@latest');
    expect(lineOf(text, 'pool')).toMatch(/pool +0 +4 +1 +2 +2$/);
    expect(lineOf(text, 'frozen')).toMatch(/frozen +1 +1 +0 +0 +0$/);
    expect(text).toContain(`thaw simulators ${run}`);
    expect(await look('@latest', '--variant', 'frozen')).toContain(`${second}  1 simulator entered`);
    const wrong = await stored.thaw('simulators', '@latest', '--variant', 'frozn');
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Did you mean frozen?') as string });
  });

  it('without a pool yet says so', async () => {
    await seedExperiment(stored.database, { id: 'new-1', overrides: ['budget.rounds=6'] });
    const outcome = await stored.thaw('simulators', 'new-1');
    expect(outcome).toMatchObject({ exitCode: 0, stdout: '', stderr: 'No run has a pool yet.\n' });
  });
});

describe('thaw simulators RUN NAME', () => {
  it('tells why a simulator is in the pool, from the failure it came from on, and how to watch that', async () => {
    const text = await look(run, 'top~2');
    for (const words of [
      'why',
      'chose top~2',
      'rounds 5–, weight 0.50',
      'shortfall 3.00 → 3.00',
      'score not measured',
    ]) {
      expect(text).toContain(words);
    }
    for (const name of ['top', 'failure 2.1', 'top~1', 'top~2']) expect(lineOf(text, name)).not.toBe('');
    expect(text).not.toContain('zero');
    expect(text).toContain(`thaw rollout --failure ${run}:2.1 --render failure.svg`);
    expect((await rowsOf(run, 'top~2')).map((row) => row['simulator'])).toEqual(['top~1', 'top~2']);
  });

  it('tells why one is no longer there, and why one never was', async () => {
    expect(await look(run, 'left')).toContain('rounds 1–2, weight 0.50; left after round 2: taught the least');
    expect(await look(run, 'zero~3')).toMatch(/in the pool +never: too easy/);
  });

  it('does not know any other', async () => {
    const wrong = await stored.thaw('simulators', run, 'top~9');
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Did you mean top~') as string });
  });
});

it('a diagnosis is told what entered after the start, at its first round, and what had failed by then', async () => {
  const runs = await listDiagnosedRuns(stored.database, 'example-1');
  const { entered, failing } = runs.find(({ runId: id }) => id === run)!;
  expect(entered.map(({ round, isFromFailure }) => [round, isFromFailure])).toEqual([
    [FIRST_DECISION, true],
    [SECOND_DECISION, true],
  ]);
  expect(failing).toEqual([{ round: FIRST_DECISION, simulator: variant.simulators['top'] }]);
  expect(entered.map(({ simulator }) => simulator.partners)).toEqual(entered.map(() => failing[0]!.simulator.partners));
});

describe('thaw simulators --distances', () => {
  it('gives the distance of what entered to the nearest test simulator by the metric of the spec, and stores nothing', async () => {
    const digest = async () =>
      (await stored.database.query('select * from pools order by run_id, round, position')).rows as unknown[];
    const before = await digest();
    const rows = await rowsOf(run, '--distances', '--candidates');
    const measure = new SimulatorDistances(openWorld(variant, DEFAULT_REGISTRIES), variant.learners);
    const { zero, far } = variant.simulators;
    const { metric } = variant.diversity;
    expect(rows[0]).toMatchObject({
      nearest_test: 'far',
      test_distance: measure.between(zero!, far!)[metric],
      test_distance_metric: metric,
    });
    expect(rows.map((row) => row['test_distance'] === null)).toEqual([false, false, false, false, true]);
    expect(lineOf(await look(run, '--distances'), 'top~1')).toContain(' far');
    expect(await look(run, 'top~1', '--distances')).toContain(`by ${metric}`);
    expect(await digest()).toEqual(before);
  });
});
