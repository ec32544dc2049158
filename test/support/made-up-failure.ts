import type { MadeSimulator, StoredFailure } from '../../infra/postgres/failure-rows.ts';

/** A failure of three steps, with what a test wants otherwise. */
export function madeUpFailure(change: Partial<StoredFailure> = {}): StoredFailure {
  return {
    runId: 'example-1/pool/0',
    variant: 'pool',
    seed: 0,
    round: 10,
    index: 0,
    name: 'top',
    simulatorHash: 'abcdef0123456789',
    stepCount: 3,
    hasCritic: true,
    episode: 4,
    key: { high: 1, low: 2 },
    return: -12,
    score: 0.25,
    keyMoment: 1,
    features: [0.5, -0.5],
    group: 0,
    isMedoid: true,
    actions: [
      [0, 1],
      [0, 1],
      [0, 1],
    ],
    rewards: [-4, -4, -4],
    values: [-1, -2, -9, 0],
    mined: {
      episodes: 20,
      returnMean: -8,
      randomMean: -14,
      knownMean: -6,
      knownBy: 'earlier',
      isImpossible: false,
    },
    candidateCount: 0,
    admittedCount: 0,
    ...change,
  };
}

/** A simulator made from it that is in the pool, with what a test wants otherwise. */
export function madeUpChild(change: Partial<MadeSimulator> = {}): MadeSimulator {
  return {
    name: 'top~1',
    simulatorHash: '0123456789abcdef',
    round: 10,
    parents: ['top'],
    origin: 'starts near the failing start of top',
    failure: '10.1',
    score: 0.5,
    novelty: NaN,
    probeEpisodes: 0,
    probeReturn: NaN,
    refusal: null,
    left: null,
    ...change,
  };
}
