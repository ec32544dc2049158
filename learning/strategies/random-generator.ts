import { z } from 'zod';
import type { Strategy } from './contract.ts';
import { isDueEveryRounds } from './every-rounds.ts';
import { admitToPool, checkFifo, FIFO_OPTIONS, type FifoOptions, fifoPlayedMax, proposeDraws } from './fifo-pool.ts';
import { PLAIN_STRATEGY } from './fixed-pool.ts';

interface RandomGeneratorOptions extends FifoOptions {
  readonly kind: 'random_generator';
}

/**
 * A pool that uniform draws enter and that the oldest leave: what every generator that looks at how training went has to
 * be compared with, at equal env steps.
 */
export const randomGenerator: Strategy<RandomGeneratorOptions> = {
  ...PLAIN_STRATEGY,
  kind: 'random_generator',
  summary: 'a pool that random draws enter, first in first out: the control of every other generator',
  optionsSchema: z.strictObject({ kind: z.literal('random_generator'), ...FIFO_OPTIONS }),
  check: checkFifo,
  playedMax: fifoPlayedMax,
  varied: ({ trainPanel }) => trainPanel,
  isDue: isDueEveryRounds,
  propose: (state, evidence, random) => proposeDraws(state, evidence, { drawCount: evidence.options.added, random }),
  decide: (proposal, evidence) => admitToPool(proposal, evidence, proposal.candidates),
};
