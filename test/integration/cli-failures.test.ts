import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import {
  type FailureScope,
  listFailures,
  listMadeSimulators,
  listMinedSimulators,
  listWholeFailures,
} from '../../infra/postgres/failure-rows.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { elementsBelow, parseXml } from '../support/parse-xml.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';
import { LATER_ROUND, MINED_ROUND, seedFailures, type SeededFailures } from '../support/seeded-failures.ts';
import { resolved, specDocument } from '../support/spec-document.ts';
import { useStoredCommandLine } from '../support/stored-command-line.ts';

const world = openWorld(resolved(specDocument()).variants['pool']!, DEFAULT_REGISTRIES);
const RUN = runId('example-1', 'pool', 1);
const idOf = (place: number): string => `${RUN}:${MINED_ROUND}.${place}`;

const stored = useStoredCommandLine();
let seeded: SeededFailures;

/** The example experiment, of which one run has failures. */
async function mined(): Promise<void> {
  await seedExperiment(stored.database);
  seeded = await seedFailures(stored.database, RUN, world);
}

const asJson = (text: string) => JSON.parse(text) as Record<string, unknown> & { failures: Record<string, unknown>[] };

beforeEach(mined);

describe('the failures of an experiment', () => {
  it('are those of its runs, to the last bit, each with what is known of its simulator and what was made of it', async () => {
    const failures = await listWholeFailures(stored.database, { experimentId: 'example-1' });
    expect(failures).toHaveLength(seeded.failures.length);
    failures.forEach((failure, index) => {
      expect(failure).toMatchObject({ ...seeded.failures[index]!, runId: RUN, round: MINED_ROUND, index });
      const own = seeded.candidates.filter((candidate) => candidate.failure === `${MINED_ROUND}.${index + 1}`);
      expect(failure.candidateCount).toBe(own.length);
      expect(failure.admittedCount).toBe(own.filter(({ refusal }) => refusal === null).length);
      expect(failure.mined.returnMean).toBe(-9 - index);
      expect(failure.stepCount).toBe(failure.actions.length);
    });
    const simulators = await listMinedSimulators(stored.database, 'example-1');
    expect(simulators.map(({ name, isImpossible }) => [name, isImpossible])).toEqual([
      ...seeded.failures.map(({ name }) => [name, false]),
      ['hopeless', true],
    ]);
  });

  it('are of a SKIPPED run those of the run that it is equal to, under its own id', async () => {
    await finishRun(stored.database, RUN);
    await seedExperiment(stored.database, { id: 'again', overrides: ['name=again'] });
    const own = runId('again', 'pool', 1);
    const failures = await listWholeFailures(stored.database, { experimentId: 'again' });
    expect(failures).toEqual(
      (await listWholeFailures(stored.database, { experimentId: 'example-1' })).map((failure) => ({
        ...failure,
        runId: own,
      })),
    );
    const made = await listMadeSimulators(stored.database, own, '2.1');
    expect(made).toEqual(await listMadeSimulators(stored.database, RUN, '2.1'));
    expect(made).toHaveLength(2);
    expect((await stored.thaw('failures', `${own}:2.1`)).stdout).toContain(`thaw rollout --failure ${own}:2.1`);
  });

  it('are listed without their steps, those of an experiment, a run, a mining, or one of them', async () => {
    const whole = await listWholeFailures(stored.database, { experimentId: 'example-1' });
    const listed = whole.map(({ actions: _, rewards: __, values: ___, ...failure }) => failure);
    const list = (scope: Omit<FailureScope, 'experimentId'>) =>
      listFailures(stored.database, { experimentId: 'example-1', ...scope });
    expect(await list({})).toEqual(listed);
    expect(await list({ runId: RUN, round: MINED_ROUND })).toEqual(listed);
    expect(await list({ runId: RUN, round: MINED_ROUND, index: 1 })).toEqual([listed[1]]);
    expect(await list({ runId: runId('example-1', 'pool', 0) })).toEqual([]);
    expect(await list({ runId: RUN, round: LATER_ROUND })).toEqual([]);
  });

  it('come with the fate of every simulator that was made of one', async () => {
    const [entered, refused] = await listMadeSimulators(stored.database, RUN, '2.1');
    expect(entered).toMatchObject({
      name: 'near~1',
      round: MINED_ROUND,
      refusal: null,
      left: { round: LATER_ROUND, reason: 'taught the least', contribution: 0.01 },
    });
    expect(refused).toMatchObject({ name: 'near~2', refusal: 'as good as in the pool', left: null });
    expect(await listMadeSimulators(stored.database, RUN, '2.2')).toMatchObject([{ name: 'habit~3', left: null }]);
  });
});

describe('thaw failures ID', () => {
  it('is a table to read, and all of it in JSON and CSV', async () => {
    const table = await stored.thaw('failures', '@latest');
    expect(table).toMatchObject({ exitCode: 0, stderr: '' });
    for (const words of ['3 failures', 'best known', '-1.33 (scripted)', '5 of 25', '0 *', 'hopeless', idOf(1)]) {
      expect(table.stdout).toContain(words);
    }
    const { failures, mined: simulators } = asJson((await stored.thaw('failures', 'example-1', '-o', 'json')).stdout);
    expect(simulators).toHaveLength(seeded.failures.length + 1);
    failures.forEach((failure, index) => {
      const { features, actions, rewards, key, isMedoid } = seeded.failures[index]!;
      expect(failure).toMatchObject({ failure: idOf(index + 1), features, actions, rewards, key, is_medoid: isMedoid });
      expect((failure['values'] as unknown[]).at(-1)).toBe('-Infinity');
    });
    const csv = (await stored.thaw('failures', RUN, '-o', 'csv')).stdout.trimEnd().split('\r\n');
    expect(csv).toHaveLength(1 + seeded.failures.length);
    expect(csv[1]!.split(',').slice(0, 5)).toEqual([idOf(1), 'pool', '1', String(MINED_ROUND), 'top']);
  });

  it('shows what was asked for alone', async () => {
    const shown = async (...args: string[]) => {
      const { stdout } = await stored.thaw('failures', 'example-1', '-o', 'json', ...args);
      return asJson(stdout).failures.map(({ simulator }) => simulator);
    };
    expect(await shown('--group', '1')).toEqual(['taught']);
    expect(await shown('--variant', 'pool', '--seed', '1')).toEqual(['top', 'late', 'taught']);
    expect(await shown('--seed', '0')).toEqual([]);
    const unknown = await stored.thaw('failures', 'example-1', '--variant', 'pol');
    expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Did you mean pool?') as string });
  });

  it('says why there is nothing to show, and that is no error', async () => {
    const none = await stored.thaw('failures', 'example-1', '--variant', 'frozen');
    expect(none).toMatchObject({ exitCode: 0, stdout: '' });
    expect(none.stderr).toContain('frozen: the strategy frozen does not mine');
    const group = await stored.thaw('failures', RUN, '--group', '9', '-o', 'json');
    expect(asJson(group.stdout).failures).toEqual([]);
    expect(group.stderr).toContain('pool: its failures are in groups 0, 1');
  });

  it('tells one failure in words: its key moment, its group, what became of it, how to watch it', async () => {
    const { exitCode, stdout } = await stored.thaw('failures', `@latest/pool/1:${MINED_ROUND}.1`);
    expect(exitCode).toBe(0);
    for (const words of [
      'episode 1 of 20 mined on the validation simulator top',
      'went from 0.33 to -Infinity',
      'seat 1: x 0.40, y 0.50',
      '0, with 2.2; it stands for the group',
      '2 simulators, of which 1 entered a pool',
      `entered after round ${MINED_ROUND}, left after round ${LATER_ROUND}: taught the least`,
      'refused: as good as in the pool',
      `thaw rollout --failure ${idOf(1)} --render failure.svg`,
    ]) {
      expect(stdout).toContain(words);
    }
    const document = asJson((await stored.thaw('failures', idOf(2), '-o', 'json')).stdout);
    expect(document).toMatchObject({ failure: { failure: idOf(2) }, group_members: [idOf(1), idOf(2)] });
    expect(document['made']).toMatchObject([{ name: 'habit~3', novelty: 0.5, refusal: null, left_round: null }]);
  });

  it('refuses what is not there, and says what is', async () => {
    const refused = async (...args: string[]) => {
      const { exitCode, stderr } = await stored.thaw('failures', ...args);
      expect(exitCode).toBe(2);
      return stderr;
    };
    expect(await refused(idOf(4))).toContain('2.1 to 2.3');
    expect(await refused(`${RUN}:7.1`)).toContain('rounds 2');
    expect(await refused(`${runId('example-1', 'pool', 0)}:2.1`)).toContain('It has none.');
    expect(await refused('example-1:2.1')).toContain('names no run');
    expect(await refused(idOf(1), '--group', '0')).toContain('--group');
  });
});

describe('thaw rollout --failure', () => {
  const replay = (place: number, ...args: string[]) => stored.thaw('rollout', '--failure', idOf(place), ...args);

  it('plays the same episode again, with partners that are policies and with delays, from the store alone', async () => {
    for (const [index, failure] of seeded.failures.entries()) {
      const { exitCode, stdout } = await replay(index + 1);
      expect(exitCode).toBe(0);
      const steps = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { rewards: number[] | null });
      expect(steps).toHaveLength(failure.actions.length + 1);
      expect(steps.slice(1).map(({ rewards }) => rewards![0])).toEqual(failure.rewards);
    }
  });

  it('renders it with its name, its return and the mark of its key moment', async () => {
    const file = path.join(stored.artifacts, '..', 'failure.svg');
    const { exitCode, stdout, stderr } = await replay(3, '--render', file);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    const { keyMoment, ...failure } = seeded.failures[2]!;
    expect(stderr).toContain(`${failure.actions.length + 1} frames`);
    const elements = elementsBelow(parseXml(readFileSync(file, 'utf8').trim()));
    const texts = elements.map(({ text }) => text);
    expect(texts).toContain(`failure ${idOf(3)}, simulator taught, return ${failure.return.toFixed(2)}`);
    expect(texts).toContain(`key moment: step ${keyMoment}`);
    expect(texts).toContain('policy, as it acted');
    expect(elements.filter(({ attributes }) => attributes['class'] === 'mark')).toHaveLength(world.seatCount);
  });

  it('is a defect, and no picture, where the rewards do not sum up to what is stored', async () => {
    await stored.database.query('update failures set return = return + 1e-6 where position = 0');
    const file = path.join(stored.artifacts, '..', 'other.svg');
    const { exitCode, stdout, stderr } = await replay(1, '--render', file, '-o', 'json');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('does not go as it went');
    expect(existsSync(file)).toBe(false);
  });

  it('takes nothing beside it that would make another episode of it', async () => {
    for (const [option, ...value] of [
      ['--simulator', 'base'],
      ['--family', 'foraging'],
      ['--seed', '0'],
      ['--random'],
    ]) {
      const { exitCode, stderr } = await replay(1, option!, ...value);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`'--failure <id>' cannot be used with option '${option}`);
    }
    const neither = await stored.thaw('rollout', '--random');
    expect(neither).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--failure') as string });
  });
});
