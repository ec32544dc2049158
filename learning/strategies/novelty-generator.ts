import { z } from 'zod';
import { admit } from '../failures/admission/admit.ts';
import { parameterDistance } from '../failures/admission/novelty.ts';
import type { Strategy } from './contract.ts';
import { isDueEveryRounds } from './every-rounds.ts';
import {
  admitToPool,
  checkFifo,
  drawsOption,
  FIFO_OPTIONS,
  type FifoOptions,
  fifoPlayedMax,
  pooledSimulators,
  proposeDraws,
} from './fifo-pool.ts';
import { PLAIN_STRATEGY } from './fixed-pool.ts';

interface NoveltyGeneratorOptions extends FifoOptions {
  readonly kind: 'novelty_generator';
  readonly draws: number;
}

/**
 * A pool that the draws farthest from it enter, and that the oldest leave: what a generator that looks at failures has to
 * be compared with, because leaving what is known already helps without looking at any return.
 */
export const noveltyGenerator: Strategy<NoveltyGeneratorOptions> = {
  ...PLAIN_STRATEGY,
  kind: 'novelty_generator',
  summary: 'a pool that the draws farthest from it enter, first in first out: looks at no return',
  optionsSchema: z.strictObject({ kind: z.literal('novelty_generator'), ...FIFO_OPTIONS, draws: drawsOption }),
  check: checkFifo,
  playedMax: fifoPlayedMax,
  varied: ({ trainPanel }) => trainPanel,
  isDue: isDueEveryRounds,
  propose: (state, evidence, random) => {
    const { added, draws } = evidence.options;
    return proposeDraws(state, evidence, { drawCount: added * draws, random });
  },
  decide: (proposal, evidence) => {
    const { parameters, randomization, compile, roundIndex, options } = evidence;
    const candidates = proposal.candidates.map((candidate) => ({
      candidate,
      vector: compile(candidate.simulator),
      score: NaN,
      refusal: null,
    }));
    const { admitted, judgements } = admit(candidates, {
      count: roundIndex === 0 ? candidates.length : options.added,
      noveltyWeight: 1,
      pool: pooledSimulators(proposal.state).map((simulator) => compile(simulator)),
      distance: parameterDistance(parameters, randomization),
    });
    return { ...admitToPool(proposal, evidence, admitted), judgements };
  },
};
