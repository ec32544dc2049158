import { z } from 'zod';
import type { RandomStream } from '../../simulators/random.ts';
import type { Candidate, Evidence, PoolEntry, Strategy, StrategyOptions } from './contract.ts';
import { drawCandidates } from './draw-candidates.ts';
import { DECIDED_ONCE, poolDecision } from './fixed-pool.ts';

const FIXED = { randomization: {}, learns: true } as const;

interface PoolOptions extends StrategyOptions {
  readonly kind: 'pool';
  readonly size: number;
  readonly weights: readonly number[] | null;
}

/** A fixed pool: every episode is played in a simulator drawn from it. */
export const pool: Strategy<PoolOptions> = {
  kind: 'pool',
  summary: 'several simulators, one drawn for every episode, uniformly or by weight',
  optionsSchema: z.strictObject({
    kind: z.literal('pool'),
    size: z
      .int()
      .min(1)
      .max(1024)
      .describe(
        'Simulators in the pool: the first so many of the train panel, filled up with draws of `randomization`.',
      ),
    weights: z
      .array(z.number().positive())
      .nullable()
      .default(null)
      .describe('Relative weight of each member, in order; null for equal weights.'),
  }),
  ...DECIDED_ONCE,
  check: ({ options, trainPanel, randomization }) => [
    ...(trainPanel.length >= options.size || (trainPanel.length > 0 && Object.keys(randomization).length > 0)
      ? []
      : [
          {
            key: 'size',
            problem: `a pool of ${options.size} needs as many train simulators, and there are ${trainPanel.length}`,
            remedy: 'Add simulators to panels.train, give `randomization` ranges to draw more from, or lower the size.',
          },
        ]),
    ...(options.weights === null || options.weights.length === options.size
      ? []
      : [
          {
            key: 'weights',
            problem: `${options.weights.length} weights for ${options.size} simulators`,
            remedy: 'Give one weight for each member of the pool, or leave `weights` out.',
          },
        ]),
  ],
  playedMax: ({ options }) => options.size,
  varied: ({ options, trainPanel }) => trainPanel.slice(0, Math.max(0, options.size - trainPanel.length)),
  propose: (_state, evidence, random) => ({ state: {}, candidates: fillCandidates(evidence, random), probes: [] }),
  decide: ({ state, candidates }, { options, trainPanel }) => {
    const weights = options.weights ?? Array.from({ length: options.size }, () => 1);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const members: Omit<PoolEntry, 'weight'>[] = [
      ...trainPanel.map((entry) => ({ ...entry, parents: [], reason: 'member of the train panel', ...FIXED })),
      ...candidates.map(({ origin, ...entry }) => ({ ...entry, reason: origin, ...FIXED })),
    ];
    return poolDecision(
      state,
      members.slice(0, options.size).map((entry, index) => ({ ...entry, weight: weights[index]! / total })),
    );
  },
};

/** Draws on the members of a train panel that is shorter than the pool. */
function fillCandidates(evidence: Evidence<PoolOptions>, random: RandomStream): Candidate[] {
  const count = Math.max(0, evidence.options.size - evidence.trainPanel.length);
  return drawCandidates(evidence, { count, drawn: 0, known: [] }, random);
}
