import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { releaseCheckpoints } from '../../infra/postgres/checkpoint-retention.ts';
import { beginAttempt, endAttempt, listAttempts, type AttemptToken } from '../../infra/postgres/attempt-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { panelSimulatorsByVariant } from '../../specification/panel-simulators.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { insertExperiment, runId } from '../../infra/postgres/experiment-rows.ts';
import { listEvents } from '../../infra/postgres/event-rows.ts';
import { commitPool, findPool, NO_PARTS } from '../../infra/postgres/pool-rows.ts';
import { findBestRound, findCheckpoint } from '../../infra/postgres/progress-rows.ts';
import { findReference, insertReference } from '../../infra/postgres/reference-rows.ts';
import { commitResult } from '../../infra/postgres/completion-rows.ts';
import { commitEvaluation } from '../../infra/postgres/evaluation-rows.ts';
import { commitRound, type RoundCommit } from '../../infra/postgres/round-rows.ts';
import { requeueRuns } from '../../infra/postgres/requeue-rows.ts';
import { findRun, listRuns, setRunState, skipIfEqualSucceeded } from '../../infra/postgres/run-rows.ts';
import { ONE_LEARNER, PLAIN_EPISODES } from '../../learning/strategies/contract.ts';
import { runMeasures } from '../../learning/measures/run-measures.ts';
import { collapseScores } from '../../learning/measures/collapse.ts';
import type { ResolvedExperiment } from '../../schemas/resolved-experiment.ts';
import { resolved, specDocument } from '../support/spec-document.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';

let postgres: TestPostgres;
let database: Database;

beforeAll(async () => {
  postgres = await startTestPostgres();
});
beforeEach(async () => {
  ({ database } = await postgres.createDatabase());
});
afterAll(() => postgres.stop());

const experiment: ResolvedExperiment = resolved(specDocument());
const [variant] = Object.keys(experiment.variants) as [string];
const [seed] = experiment.seeds as [number];

const PANELS = panelSimulatorsByVariant(experiment.variants, DEFAULT_REGISTRIES);

async function submit(id = 'e', identityHash = id): Promise<string> {
  await insertExperiment(database, {
    id,
    identityHash,
    document: {},
    resolved: experiment,
    panelSimulators: PANELS,
    sourceFile: 'spec.json',
    programVersion: '0',
  });
  return runId(id, variant, seed);
}

function begin(run: string): Promise<AttemptToken> {
  return beginAttempt(database, { runId: run, kind: 'train_round', round: 0, worker: 'w', fingerprint: {} });
}

const SIMULATOR = {
  hash: 'h1',
  family: 'simple_spread',
  familyVersion: '1',
  familyOptions: {},
  simulator: { partners: {}, rules: {}, scenarios: {}, rewards: {}, perturbations: {} },
};

const ENTRY = {
  name: 'base',
  simulatorHash: SIMULATOR.hash,
  weight: 1,
  parents: [],
  reason: 'only one',
  randomization: { 'rules.damping': [0.1, 0.5] as const },
  learns: false,
  failure: null,
  contribution: null,
};

const POOL = { round: 0, entries: [ENTRY], members: ONE_LEARNER, state: { step: 1 }, episodeRule: PLAIN_EPISODES };

async function withPool(token: AttemptToken): Promise<void> {
  await commitPool(database, token, POOL, { ...NO_PARTS, simulators: [SIMULATOR] });
}

const ROUND: RoundCommit = {
  round: 1,
  envSteps: 6400,
  checkpoint: { hash: 'c1', bytes: 10 },
  episodes: [
    {
      simulatorHash: SIMULATOR.hash,
      name: 'base',
      episodes: 256,
      returnMean: -70.123456789012345,
      returnStd: NaN,
      lengthMean: 25,
      successRate: 0,
      scores: { positiveValueLoss: 0.5, valueMean: -Infinity, discountedReturnMax: NaN, shortfall: 1 / 3 },
      visitation: [
        [3, 0],
        [1, 2, 0],
      ],
    },
  ],
  samples: {
    positions: [0, 0],
    drawn: [0.25, NaN],
    returns: [-70, 1 / 3],
    successes: [false, true],
    shortfalls: [0.1, Infinity],
  },
  members: [{ name: 'learner', episodes: 256, returnMean: -70.123456789012345 }],
  costs: [{ round: 1, activity: 'train_round', purpose: 'training', envSteps: 6400 }],
  metrics: { entropy: 1.6, policy_loss: NaN, value_loss: Infinity, gradient_norm: -Infinity },
  wallS: 1,
  peakRssMib: 100,
  segments: [],
  idleShares: [],
  peakGpuMib: null,
};

const EVALUATION = {
  panel: 'train' as const,
  name: 'base',
  simulatorHash: SIMULATOR.hash,
  referenceHash: 'f1',
  weight: 1,
  returnMean: -1.5,
  returnStd: NaN,
  lengthMean: 25,
  successRate: 0,
  returns: [-1, NaN, -Infinity],
  lengths: [25, 25, 25],
  successes: [false, true, false],
  visitation: [{ feature: 'x', counts: [70, 5] }],
  visitationDivergence: NaN,
};

const NO_SCORES = {
  ...collapseScores({ train: [], validation: [], test: [] }, { watch: 0.1, collapsed: 0.2 }),
  zeroVarianceShare: NaN,
  policyEntropy: 1,
  dwelling: 1,
  indifference: 1,
};

/** How an attempt ends that did what it should. */
const DONE = {
  outcome: 'done',
  message: null,
  processId: 7,
  exitCode: null,
  signal: null,
  logTail: null,
  peakRssMib: 3,
} as const;

const EVALUATED = [{ round: 1, activity: 'finish_run', purpose: 'evaluation', envSteps: 9 } as const];

const RESULT = {
  envSteps: 0,
  bestRound: null,
  peakRssMib: 1,
  wallS: 1,
  programVersion: '0',
  measures: runMeasures([], [], null),
  sensitivities: [],
  costs: EVALUATED,
  artifacts: [],
};

async function rowCount(table: string): Promise<number> {
  const { rows } = await database.query(`select count(*) as count from ${table}`);
  return rows[0]!['count'] as number;
}

describe('rows of a run', () => {
  it('[P66] [P81] written twice are written once, and NaN and infinities come back as they were', async () => {
    const token = await begin(await submit());
    await withPool(token);
    await withPool(token);
    for (let repetition = 0; repetition < 2; repetition += 1) {
      await commitRound(database, token, ROUND);
      const scores = { ...NO_SCORES, validationReturn: -3 };
      const commit = {
        round: 1,
        checkpoint: 'round' as const,
        costs: [],
        evaluations: [EVALUATION],
        simulators: [SIMULATOR],
        scores,
      };
      await commitEvaluation(database, token, commit);
    }
    expect(await findRun(database, token.runId)).toMatchObject({ roundsCompleted: 1, envSteps: ROUND.envSteps });
    const metrics = await database.query('select name, value from metrics');
    expect(Object.fromEntries(metrics.rows.map((row) => [row['name'], row['value']]))).toEqual(ROUND.metrics);
    const episodes = await database.query('select return, success from episodes order by episode');
    expect(episodes.rows.map((row) => row['return'])).toEqual(EVALUATION.returns);
    expect(episodes.rows.map((row) => row['success'])).toEqual(EVALUATION.successes);
    const visitations = await database.query('select panel, position, feature, counts from visitations');
    expect(visitations.rows).toEqual([{ panel: 'train', position: 0, ...EVALUATION.visitation[0] }]);
    const evaluations = await database.query('select visitation_divergence from evaluations');
    expect(evaluations.rows).toEqual([{ visitation_divergence: EVALUATION.visitationDivergence }]);
    const training = await database.query('select return_mean, visitation from training_episodes');
    const { returnMean, visitation } = ROUND.episodes[0]!;
    expect(training.rows).toEqual([{ return_mean: returnMean, visitation }]);
    expect([await rowCount('rounds'), await rowCount('pools'), await rowCount('evaluations')]).toEqual([1, 1, 1]);
    expect(await findPool(database, token.runId, 3)).toMatchObject({ round: 0, state: { step: 1 } });
  });

  it('of training hold every member of a pool, two of equal content as well', async () => {
    const token = await begin(await submit());
    await withPool(token);
    const twin = { ...ROUND.episodes[0]!, name: 'base~1', episodes: 3 };
    await commitRound(database, token, { ...ROUND, episodes: [...ROUND.episodes, twin] });
    const { rows } = await database.query('select sum(episodes) as episodes from training_episodes');
    expect(Number(rows[0]!['episodes'])).toBe(ROUND.episodes[0]!.episodes + twin.episodes);
  });

  it('[P10] [P59] are refused from a superseded attempt, which leaves nothing half-written and nothing to go on from', async () => {
    const old = await begin(await submit());
    await withPool(old);
    const newer = await begin(old.runId);
    await expect(commitRound(database, old, ROUND)).rejects.toMatchObject({ code: 'WORLD_ATTEMPT_SUPERSEDED' });
    expect(await rowCount('rounds')).toBe(0);
    expect(await findCheckpoint(database, old.runId, ROUND.round)).toBeNull();
    const commit = { round: 1, checkpoint: 'round' as const, costs: [], simulators: [SIMULATOR], scores: NO_SCORES };
    await expect(commitEvaluation(database, old, { ...commit, evaluations: [EVALUATION] })).rejects.toMatchObject({
      code: 'WORLD_ATTEMPT_SUPERSEDED',
    });
    expect(await rowCount('visitations')).toBe(0);
    await commitRound(database, newer, ROUND);
    expect(await rowCount('rounds')).toBe(1);
  });

  it('[P40] are refused once the run is final, and no attempt begins then', async () => {
    const token = await begin(await submit());
    await withPool(token);
    await setRunState(database, token.runId, 'CANCELLED', 'by request');
    await expect(commitRound(database, token, ROUND)).rejects.toMatchObject({ code: 'WORLD_ATTEMPT_SUPERSEDED' });
    await expect(begin(token.runId)).rejects.toMatchObject({ code: 'WORLD_ATTEMPT_SUPERSEDED' });
  });
});

describe('what is held out', () => {
  const heldOut = ['validation', 'test'] as const;
  const ADMITTED = { score: 1, novelty: NaN, refusal: null, probe: null };

  it.each(heldOut)('never enters the pool of a run: no %s simulator can be committed', async (panel) => {
    const token = await begin(await submit());
    const { simulatorHash } = PANELS[variant]!.find((each) => each.panel === panel)!;
    const disguised = { ...ENTRY, name: 'disguised', simulatorHash };
    const committing = commitPool(
      database,
      token,
      { ...POOL, entries: [ENTRY, disguised] },
      { ...NO_PARTS, simulators: [SIMULATOR, { ...SIMULATOR, hash: simulatorHash }] },
    );
    await expect(committing).rejects.toThrow(/would train on what is held out from it in round 0: disguised/);
    expect(await findPool(database, token.runId, 0)).toBeNull();
  });

  it.each(heldOut)(
    'is no way to make simulators out of failures: the failing %s simulator itself is refused',
    async (panel) => {
      const token = await begin(await submit());
      const { name, simulatorHash } = PANELS[variant]!.find((each) => each.panel === panel)!;
      const made = { ...ENTRY, name: `${name}~1`, simulatorHash, parents: [name], failure: '0.1', contribution: 0.5 };
      const { parents, failure } = made;
      const candidate = { ...{ name: made.name, simulatorHash, parents, failure, origin: 'made' }, ...ADMITTED };
      const parts = { ...NO_PARTS, simulators: [{ ...SIMULATOR, hash: simulatorHash }], candidates: [candidate] };
      await expect(commitPool(database, token, { ...POOL, entries: [made] }, parts)).rejects.toThrow(
        `would train on what is held out from it in round 0: ${made.name}`,
      );
      expect((await database.query('select from candidates')).rows).toEqual([]);
    },
  );

  it.each(heldOut)('is not given to training even where a %s simulator got into the rows', async (panel) => {
    const token = await begin(await submit());
    await withPool(token);
    expect((await findPool(database, token.runId, 0))!.entries.map(({ name }) => name)).toEqual([ENTRY.name]);
    const { simulatorHash } = PANELS[variant]!.find((each) => each.panel === panel)!;
    await database.query(
      `insert into simulators select $1, family, family_version, family_options, simulator from simulators where hash = $2`,
      [simulatorHash, SIMULATOR.hash],
    );
    await database.query('update pools set simulator_hash = $2 where run_id = $1', [token.runId, simulatorHash]);
    await expect(findPool(database, token.runId, 0)).rejects.toThrow(/held out/);
  });

  it('may be trained on by another variant, whose panels say so', async () => {
    const token = await begin(await submit());
    const { simulatorHash } = PANELS[variant]!.find((each) => each.panel === 'test')!;
    await database.query(`update panel_simulators set panel = 'train' where variant = $1 and panel = 'test'`, [
      variant,
    ]);
    const simulators = [{ ...SIMULATOR, hash: simulatorHash }];
    await commitPool(database, token, { ...POOL, entries: [{ ...ENTRY, simulatorHash }] }, { ...NO_PARTS, simulators });
    expect((await findPool(database, token.runId, 0))!.entries[0]!.simulatorHash).toBe(simulatorHash);
  });
});

describe('attempts', () => {
  it('end in the transaction of their last rows', async () => {
    const token = await begin(await submit());
    await withPool(token);
    await commitRound(database, token, ROUND, DONE);
    expect(await listAttempts(database, token.runId)).toMatchObject([{ outcome: 'done', processId: 7 }]);
  });

  it('[P35] that are open when the run ends are closed with it', async () => {
    const token = await begin(await submit());
    await setRunState(database, token.runId, 'CANCELLED', 'by request');
    const [attempt] = await listAttempts(database, token.runId);
    expect(attempt).toMatchObject({ outcome: 'cancelled', message: 'by request' });
    expect(attempt!.endedAt).not.toBeNull();
  });

  it('that never reported their end are closed as lost by the next one', async () => {
    const first = await begin(await submit());
    const second = await begin(first.runId);
    const end = { message: null, processId: 1, exitCode: null, signal: null, logTail: null, peakRssMib: 1 };
    await endAttempt(database, second, { outcome: 'done', ...end });
    const attempts = await listAttempts(database, first.runId);
    expect(attempts.map(({ number, outcome }) => [number, outcome])).toEqual([
      [first.number, 'lost'],
      [second.number, 'done'],
    ]);
    expect(attempts.every(({ endedAt }) => endedAt !== null)).toBe(true);
  });
});

describe('the machine of an attempt', () => {
  it('is told in the log when it is of another kind than the one before', async () => {
    const run = await submit();
    const beginOn = (processor: string) =>
      beginAttempt(database, {
        runId: run,
        kind: 'train_round',
        round: 0,
        worker: 'w',
        fingerprint: { processor, node: 'v20' },
      });
    for (const processor of ['x64:a', 'x64:a', 'x64:b']) await beginOn(processor);
    const events = await listEvents(database, { experimentId: 'e', runId: run }, { after: 0, limit: 10 });
    expect(events.map(({ kind, message }) => [kind, message])).toEqual([
      ['fingerprint_changed', 'processor from x64:a to x64:b'],
    ]);
  });
});

describe('experiments', () => {
  it('[P58] of one identity are one, and another identity under the same name is the next version', async () => {
    const insert = (id: string) =>
      insertExperiment(database, {
        id,
        identityHash: id,
        document: {},
        resolved: experiment,
        panelSimulators: PANELS,
        sourceFile: 'spec.json',
        programVersion: '0',
      });
    expect(await insert('a')).toEqual({ id: 'a', version: 1, created: true });
    expect(await insert('a')).toEqual({ id: 'a', version: 1, created: false });
    expect(await insert('b')).toEqual({ id: 'b', version: 2, created: true });
  });

  it('submitted many times at once are still one', async () => {
    const inserted = await Promise.all(
      Array.from({ length: 8 }, () =>
        insertExperiment(database, {
          id: 'same',
          identityHash: 'same',
          document: {},
          resolved: experiment,
          panelSimulators: PANELS,
          sourceFile: 'spec.json',
          programVersion: '0',
        }),
      ),
    );
    expect(inserted.filter(({ created }) => created)).toHaveLength(1);
  });

  it('[P56] [P61] have one run for each cell, and skip those whose equal has succeeded', async () => {
    const token = await begin(await submit('first'));
    await withPool(token);
    await commitRound(database, token, ROUND);
    await commitResult(database, token, { ...RESULT, envSteps: 6400 }, DONE);
    await submit('second');
    const runs = await listRuns(database, 'second');
    expect(runs).toHaveLength(Object.keys(experiment.variants).length * experiment.seeds.length);
    const skipped = runs.filter(({ state }) => state === 'SKIPPED');
    expect(skipped.map(({ id }) => id)).toEqual([runId('second', variant, seed)]);
    expect(skipped[0]!.reason).toContain(token.runId);
  });

  it('are run again where the equal run is of the time before everything was measured that is now', async () => {
    const token = await begin(await submit('first'));
    const later = await submit('second');
    await commitResult(database, token, { ...RESULT, costs: [] }, DONE);
    expect(await skipIfEqualSucceeded(database, later)).toBe(false);
  });

  it('submitted side by side skip a run at its start when its equal has succeeded meanwhile', async () => {
    const token = await begin(await submit('first'));
    const later = await submit('second');
    expect(await skipIfEqualSucceeded(database, later)).toBe(false);
    await commitResult(database, token, RESULT, DONE);
    expect(await skipIfEqualSucceeded(database, later)).toBe(true);
    expect((await findRun(database, later)).state).toBe('SKIPPED');
  });

  it('queue again what ended in the states asked for, and only that', async () => {
    const failed = await submit('e');
    await setRunState(database, failed, 'FAILED', 'an error');
    const again = { experimentId: 'e', endsPause: false, resetsShrinks: false };
    expect((await requeueRuns(database, { ...again, states: ['CANCELLED'] })).counts).toEqual({});
    expect((await requeueRuns(database, { ...again, states: ['FAILED', 'CRASHED'] })).counts).toEqual({ FAILED: 1 });
    expect((await findRun(database, failed)).state).toBe('QUEUED');
    expect((await begin(failed)).number).toBeGreaterThan(1);
  });
});

describe('checkpoints', () => {
  it('are kept for the last two rounds and every evaluated one, and while an equal run may read them', async () => {
    const token = await begin(await submit('e'));
    await withPool(token);
    for (let round = 1; round <= 5; round += 1) {
      await commitRound(database, token, { ...ROUND, round, checkpoint: { hash: `c${round}`, bytes: 1 } });
      if (round !== 2) continue;
      const scored = {
        round,
        checkpoint: 'round' as const,
        costs: [],
        evaluations: [],
        simulators: [],
        scores: NO_SCORES,
      };
      await commitEvaluation(database, token, scored);
    }
    const released = async (roundsCompleted: number): Promise<string[]> => {
      const hashes: string[] = [];
      const remove = async (hash: string): Promise<boolean> => hashes.push(hash) > 0;
      await releaseCheckpoints(database, { remove }, { runId: token.runId, roundsCompleted });
      return hashes.sort();
    };
    expect(await released(5)).toEqual(['c1', 'c3']);
    expect(await released(5)).toEqual([]);
    await submit('equal');
    await commitRound(database, token, { ...ROUND, round: 6, checkpoint: { hash: 'c6', bytes: 1 } });
    expect(await released(9)).toEqual([]);
  });
});

describe('measured numbers', () => {
  it('[P85] choose the earliest of equally good rounds, and never a NaN', async () => {
    const token = await begin(await submit());
    for (const [round, validationReturn] of [NaN, -5, -2, -2, -4].entries()) {
      const scores = { ...NO_SCORES, validationReturn };
      await commitEvaluation(database, token, {
        round,
        checkpoint: 'round',
        costs: [],
        evaluations: [],
        simulators: [],
        scores,
      });
    }
    expect(await findBestRound(database, token.runId)).toBe(2);
  });

  it('of the random policy are kept once for a simulator and an evaluation seed', async () => {
    const returns = [-1, -2.5, NaN];
    await insertReference(database, 'f', { seed: 0, returns });
    await insertReference(database, 'f', { seed: 0, returns });
    expect(await findReference(database, 'f', { seed: 0, episodes: 3 })).toEqual(returns);
    expect(await findReference(database, 'f', { seed: 1, episodes: 3 })).toBeNull();
    expect(await findReference(database, 'f', { seed: 0, episodes: 4 })).toBeNull();
  });
});
