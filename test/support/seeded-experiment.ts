import { beginAttempt, type AttemptToken } from '../../infra/postgres/attempt-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { insertExperiment } from '../../infra/postgres/experiment-rows.ts';
import { commitPool, NO_PARTS, type SimulatorRecord } from '../../infra/postgres/pool-rows.ts';
import { commitResult } from '../../infra/postgres/completion-rows.ts';
import { commitEvaluation } from '../../infra/postgres/evaluation-rows.ts';
import { commitRound } from '../../infra/postgres/round-rows.ts';
import { ONE_LEARNER, PLAIN_EPISODES } from '../../learning/strategies/contract.ts';
import type { CheckpointName } from '../../schemas/records.ts';
import type { ResolvedExperiment } from '../../schemas/resolved-experiment.ts';
import { panelSimulatorsByVariant } from '../../specification/panel-simulators.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { scores } from './result-row.ts';
import { resolved, specDocument } from './spec-document.ts';

/** Stores the example experiment, whose runs all wait. */
export async function seedExperiment(
  database: Database,
  { id = 'example-1', overrides = [] }: { id?: string; overrides?: readonly string[] } = {},
): Promise<ResolvedExperiment> {
  const experiment = resolved(specDocument(), overrides);
  await insertExperiment(database, {
    id,
    identityHash: id,
    document: specDocument(),
    resolved: experiment,
    panelSimulators: panelSimulatorsByVariant(experiment.variants, DEFAULT_REGISTRIES),
    sourceFile: '/somewhere/example.json',
    programVersion: '0.1.0',
  });
  return experiment;
}

/** What differs between two ways to the same rows, or makes other rows. */
export interface Story {
  /** Attempts that were lost before the one that commits. */
  readonly lostAttempts?: number;
  readonly wallS?: number;
  readonly peakRssMib?: number;
  /** Return of the last of the test episodes. */
  readonly lastReturn?: number;
  readonly relativeGap?: number;
  /** How often the learners were in the first bin of a state feature. */
  readonly visits?: number;
}

const SIMULATOR_HASH = 'f00d';

/** Takes a run to its end: a pool, a round with its metrics, both final evaluations, the result. */
export async function finishRun(database: Database, id: string, story: Story = {}): Promise<void> {
  for (let lost = 0; lost < (story.lostAttempts ?? 0); lost += 1) await begin(database, id);
  const token = await begin(database, id);
  await commitPool(
    database,
    token,
    {
      round: 0,
      entries: [
        {
          name: 'zero',
          simulatorHash: SIMULATOR_HASH,
          weight: 1,
          parents: [],
          reason: 'the frozen simulator',
          randomization: {},
          learns: true,
          failure: null,
          contribution: null,
        },
      ],
      members: ONE_LEARNER,
      state: {},
      episodeRule: PLAIN_EPISODES,
    },
    { ...NO_PARTS, simulators: [SIMULATOR] },
  );
  await commitRound(database, token, {
    round: 1,
    envSteps: 1000,
    checkpoint: { hash: 'c0ffee', bytes: 3 },
    episodes: [],
    samples: null,
    members: [],
    costs: [],
    metrics: { policy_loss: NaN, entropy: 1.25 },
    wallS: story.wallS ?? 1,
    peakRssMib: 100,
    segments: [],
    idleShares: [],
    peakGpuMib: null,
  });
  for (const checkpoint of ['last', 'best'] as const) await evaluate(database, token, checkpoint, story);
  const end = {
    outcome: 'done',
    message: null,
    processId: 1,
    exitCode: null,
    signal: null,
    logTail: null,
    peakRssMib: story.peakRssMib ?? 100,
  } as const;
  const result = {
    envSteps: 1000,
    bestRound: 1,
    peakRssMib: story.peakRssMib ?? 100,
    wallS: story.wallS ?? 1,
    programVersion: '0.1.0',
    measures: { riseThenFall: false, fall: 0, auc: -12, roughness: NaN },
    sensitivities: [],
    costs: [],
    artifacts: [{ kind: 'policy:0', hash: 'beef', bytes: 4 }],
  };
  await commitResult(database, token, result, end);
}

const SIMULATOR: SimulatorRecord = {
  hash: SIMULATOR_HASH,
  family: 'simple_spread',
  familyVersion: '1',
  familyOptions: {},
  simulator: { partners: {}, rules: {}, scenarios: {}, rewards: {}, perturbations: {} },
};

function begin(database: Database, id: string): Promise<AttemptToken> {
  return beginAttempt(database, { runId: id, kind: 'train_round', round: 0, worker: 'worker', fingerprint: {} });
}

async function evaluate(
  database: Database,
  token: AttemptToken,
  checkpoint: CheckpointName,
  { lastReturn = -10, relativeGap = 0.5, visits = 20 }: Story,
): Promise<void> {
  const returns = [-12, lastReturn];
  await commitEvaluation(database, token, {
    round: 1,
    checkpoint,
    costs: [{ round: 1, activity: 'finish_run', purpose: 'evaluation', envSteps: 50 }],
    evaluations: [
      {
        panel: 'test',
        name: 'far',
        simulatorHash: SIMULATOR_HASH,
        referenceHash: 'cafe',
        weight: 1,
        returnMean: (returns[0]! + returns[1]!) / 2,
        returnStd: 1,
        lengthMean: 25,
        successRate: 0,
        returns,
        lengths: [25, 25],
        successes: [false, false],
        visitation: [{ feature: 'x', counts: [visits, 30] }],
        visitationDivergence: 0.3,
      },
    ],
    simulators: [SIMULATOR],
    scores: scores({ relativeGap, ...(Number.isNaN(relativeGap) && { verdict: 'untrained' }) }),
  });
}
