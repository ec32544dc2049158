import { z } from 'zod';
import { add, constant, multiply, reduceSum } from '../graph/operators.ts';
import { jointSizeOf } from '../rollout/joint-observer.ts';
import { MixingNetwork } from './value-based/mixing-network.ts';
import type { Objective } from './value-based/objective.ts';
import { type ValueDefaults, type ValueParameters, valueSettings } from './value-based/parameters.ts';
import { valueAlgorithm } from './value-based/value-algorithm.ts';

// Letters: M transitions, L learners.

interface QmixParameters extends ValueParameters {
  readonly name: 'qmix';
  readonly mixing_size: number;
}

const DEFAULTS: ValueDefaults = { gamma: 0.9, learningRate: 2e-3, minibatchSize: 128, updatesPerBlock: 80 };

/** What the learners that are present do is worth a mixture of what each does, and gets the sum of their rewards: [M 1]. */
export function mixedValues(mixing: MixingNetwork): Objective {
  return {
    isJoint: true,
    shared: mixing,
    predictions({ seats: { chosen, next, rewards, learning }, discount, joint }, { newest, target }) {
      const ofNext = mixing.mixed(multiply(learning, next), joint!.next, target);
      const reward = reduceSum(multiply(learning, rewards), [1], { keepDims: true });
      return {
        predicted: mixing.mixed(multiply(learning, chosen), joint!.now, newest),
        targets: add(reward, multiply(discount, ofNext)),
        counts: constant(1, discount.shape),
      };
    },
  };
}

/**
 * QMIX: a team's actions are worth a mixture of what each is worth that rises with all of them, learnt from the team's
 * reward. How they are mixed depends on what all seats see together.
 *
 * @source Rashid et al. 2018: QMIX: Monotonic Value Function Factorisation for Deep Multi-Agent Reinforcement Learning
 *   (arXiv 1803.11605)
 */
export const qmix = valueAlgorithm(
  {
    name: 'qmix',
    aliases: [],
    summary:
      'deep Q-learning of a team: a mixing network that knows what all see makes one worth of what each is worth',
    parametersSchema: (world) =>
      z.strictObject({
        name: z.literal('qmix'),
        ...valueSettings(world, DEFAULTS),
        mixing_size: z.int().min(1).max(4096).default(32).describe('Units of the mixing network.'),
      }),
  },
  ({ world, learners, parameters }) =>
    mixedValues(new MixingNetwork(learners.length, jointSizeOf(world), (parameters as QmixParameters).mixing_size)),
);
