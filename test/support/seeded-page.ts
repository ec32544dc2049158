import { beginAttempt, type AttemptToken } from '../../infra/postgres/attempt-rows.ts';
import { commitResult } from '../../infra/postgres/completion-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { commitEvaluation } from '../../infra/postgres/evaluation-rows.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { commitRound } from '../../infra/postgres/round-rows.ts';
import type { EvaluationRecord } from '../../schemas/records.ts';
import type { PanelName } from '../../schemas/resolved-experiment.ts';
import { scores } from './result-row.ts';
import { resolved, specDocument } from './spec-document.ts';
import { storeExperiment } from './store-experiment.ts';

export const SEEDS = [0, 1, 2, 3, 4, 5];
export const VARIANTS = ['frozen', 'pool', 'randomized'];
const ROUNDS = 5;
const HASH = 'f00d';

/** Stores an experiment of three variants and six seeds under a name, whose runs all wait. */
export async function seedGrid(database: Database, id: string, more: object = {}): Promise<void> {
  const document = {
    ...specDocument(),
    name: id,
    description: 'Does a pool of partners keep a learner from fitting one of them?',
    seeds: SEEDS,
    ...more,
  };
  document.variants['randomized'] = { strategy: { kind: 'domain_randomization', simulator: 'zero' } };
  await storeExperiment(database, id, resolved(document));
}

/** The return that the run of a variant and a seed ends with. */
export const heldoutReturn = (variant: string, seed: number): number => -16 + 3 * VARIANTS.indexOf(variant) + seed / 4;

/** Takes all runs of a grid to their ends, by way of curves on which training and held-out returns part. */
export async function finishGrid(database: Database, id: string): Promise<void> {
  for (const variant of VARIANTS) for (const seed of SEEDS) await finish(database, { id, variant, seed });
}

interface Place {
  readonly id: string;
  readonly variant: string;
  readonly seed: number;
}

/** Commits a round and its evaluation. */
export async function trainRound(database: Database, place: Place, round: number): Promise<AttemptToken> {
  const token = await begin(database, place);
  const heldout = heldoutReturn(place.variant, place.seed);
  const share = round / ROUNDS;
  await commitRound(database, token, {
    round,
    envSteps: 20_000 * round,
    checkpoint: { hash: 'c0ffee', bytes: 3 },
    episodes: [],
    samples: null,
    members: [],
    costs: [],
    metrics: { policy_loss: NaN, entropy: 1.6 - share },
    wallS: 2,
    peakRssMib: 300,
    segments: [],
    idleShares: [],
    peakGpuMib: null,
  });
  await commitEvaluation(database, token, {
    round,
    checkpoint: 'round',
    costs: [],
    evaluations: [],
    simulators: [],
    scores: scores({ trainReturn: -20 + 13 * share, heldoutReturn: -20 + (20 + heldout) * share, worstHeldout: -20 }),
  });
  return token;
}

async function finish(database: Database, place: Place): Promise<void> {
  for (let round = 1; round < ROUNDS; round += 1) await trainRound(database, place, round);
  const token = await trainRound(database, place, ROUNDS);
  const heldout = heldoutReturn(place.variant, place.seed);
  const relativeGap = place.variant === 'randomized' && place.seed === 5 ? NaN : (-7 - heldout) / 13;
  const verdict = Number.isNaN(relativeGap)
    ? 'untrained'
    : relativeGap > 0.2
      ? 'collapsed'
      : relativeGap < 0.1
        ? 'healthy'
        : 'watch';
  for (const checkpoint of ['last', 'best'] as const) {
    await commitEvaluation(database, token, {
      round: ROUNDS,
      checkpoint,
      costs: [],
      evaluations: [
        evaluation('train', 'zero', -7),
        evaluation('validation', 'top', heldout + 1),
        evaluation('test', 'far', heldout),
      ],
      simulators: [SIMULATOR],
      scores: scores({ trainReturn: -7, heldoutReturn: heldout, relativeGap, verdict }),
    });
  }
  const sensitivity = { kind: 'rule', name: 'damping', episodes: 10, isCliff: false } as const;
  const result = {
    envSteps: 20_000 * ROUNDS,
    bestRound: 4,
    peakRssMib: 300,
    wallS: 10,
    programVersion: '0.1.0',
    measures: { riseThenFall: false, fall: 0, auc: -12, roughness: NaN },
    sensitivities: [
      ...[0.8, 0.95, 1.05, 1.2].map((factor) => ({
        ...sensitivity,
        factor,
        returnMean: heldout - 4 * Math.abs(1 - factor),
        loss: Math.abs(1 - factor),
        isCliff: factor === 0.95 && place.variant === 'frozen',
      })),
      ...['fixed_landmark', 'leftmost_landmark'].map((name, index) => ({
        ...sensitivity,
        kind: 'partner' as const,
        name,
        factor: null,
        returnMean: heldout - index,
        loss: index / 4,
        isCliff: null,
      })),
    ],
    costs: [],
    artifacts: [],
  };
  await commitResult(database, token, result, END);
}

const END = {
  outcome: 'done',
  message: null,
  processId: 1,
  exitCode: null,
  signal: null,
  logTail: null,
  peakRssMib: 300,
} as const;

const SIMULATOR = {
  hash: HASH,
  family: 'simple_spread',
  familyVersion: '1',
  familyOptions: {},
  simulator: { partners: {}, rules: {}, scenarios: {}, rewards: {}, perturbations: {} },
};

const begin = (database: Database, { id, variant, seed }: Place): Promise<AttemptToken> =>
  beginAttempt(database, {
    runId: runId(id, variant, seed),
    kind: 'train_round',
    round: 0,
    worker: 'worker',
    fingerprint: {},
  });

function evaluation(panel: PanelName, name: string, mean: number): EvaluationRecord {
  const returns = [mean - 1, mean + 1];
  return {
    panel,
    name,
    simulatorHash: HASH,
    referenceHash: 'cafe',
    weight: 1,
    returnMean: mean,
    returnStd: Math.SQRT2,
    lengthMean: 25,
    successRate: 0,
    returns,
    lengths: [25, 25],
    successes: [false, false],
    visitation: [{ feature: 'x', counts: [20, 30] }],
    visitationDivergence: 0.3,
  };
}
