import type {
  EvaluatedRound,
  PoolDecision,
  RunHistory,
  TrainedRound,
  TrainedSimulator,
  VariantHistory,
} from '../../learning/diagnosis/history.ts';

/** A run of which nothing is known but what a test says. */
export function madeUpRun(change: Partial<RunHistory> = {}): RunHistory {
  return {
    runId: 'example/pool/0',
    seed: 0,
    rounds: [],
    evaluations: [],
    pools: [],
    entered: [],
    failing: [],
    attempts: [],
    last: null,
    replay: null,
    ...change,
  };
}

/** A variant with limits as they are by default. */
export function madeUpVariant(runs: readonly RunHistory[], change: Partial<VariantHistory> = {}): VariantHistory {
  return {
    variant: 'pool',
    strategyKind: 'pool',
    verdictLimits: { watch: 0.1, collapsed: 0.2 },
    memoryLimitMib: 2048,
    isTrainedElsewhere: false,
    runs,
    randomization: {},
    randomSibling: null,
    ...change,
  };
}

/** Training episodes in a simulator that is called as its hash. */
export function trainedIn(name: string, change: Partial<TrainedSimulator> = {}): TrainedSimulator {
  return { name, simulatorHash: name, episodes: 100, returnMean: -10, returnStd: 2, ...change };
}

export function trainedRound(
  round: number,
  simulators: readonly TrainedSimulator[],
  change: Partial<TrainedRound> = {},
): TrainedRound {
  return { round, envSteps: 1000, wallS: 1, simulators, ...change };
}

export function evaluatedRound(round: number, change: Partial<EvaluatedRound> = {}): EvaluatedRound {
  return { round, validationReturn: null, heldoutReturn: null, heldoutEpisodes: [], ...change };
}

/** A pool of equally weighted simulators that are called as their hashes. */
export function poolOf(round: number, names: readonly string[], isRandomized = false): PoolDecision {
  const entries = names.map((name) => ({
    name,
    simulatorHash: name,
    weight: 1 / names.length,
    reason: 'made up',
    isRandomized,
  }));
  return { round, entries };
}
