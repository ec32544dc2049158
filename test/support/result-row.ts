import type { ResultRow } from '../../learning/results/result-row.ts';
import type { CheckpointScores } from '../../learning/measures/checkpoint-scores.ts';

/** Scores of a checkpoint that has learnt something and loses half of it. */
export function scores(change: Partial<CheckpointScores> = {}): CheckpointScores {
  return {
    trainReturn: -8,
    validationReturn: -9,
    heldoutReturn: -11,
    worstHeldout: -12,
    cvarHeldout: -18,
    heldoutStd: 0.5,
    collapseGap: 3,
    relativeGap: 0.5,
    verdict: 'collapsed',
    trainGain: 6,
    heldoutGain: 3,
    visitationDivergence: 0.3,
    zeroVarianceShare: 0.25,
    policyEntropy: 0.9,
    dwelling: 0.4,
    indifference: 0.7,
    ...change,
  };
}

/** The row of a run that succeeded. */
export function resultRow(change: Partial<ResultRow> = {}): ResultRow {
  return {
    runId: 'example/pool/0',
    variant: 'pool',
    seed: 0,
    state: 'SUCCEEDED',
    reason: null,
    attempts: 3,
    envSteps: 1000,
    budget: { env_steps: 1000, rounds: 5, count: 'training' },
    costs: { training: 1000, scoring: 0, mining: 0, evaluation: 500 },
    specialist: null,
    testReturns: [],
    bestRound: 2,
    last: scores(),
    best: scores({ heldoutReturn: -10 }),
    measures: { riseThenFall: false, fall: 0, auc: -12, roughness: 0.1 },
    peakRssMib: 120,
    wallS: 4,
    adaptWallShare: 0.125,
    programVersion: '0.1.0',
    ...change,
  };
}
