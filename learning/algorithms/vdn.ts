import { z } from 'zod';
import { add, constant, multiply, reduceSum } from '../graph/operators.ts';
import { NO_SHARED_NETWORKS, type Objective } from './value-based/objective.ts';
import { type ValueDefaults, valueSettings } from './value-based/parameters.ts';
import { valueAlgorithm } from './value-based/value-algorithm.ts';

// Letters: M transitions, L learners.

const DEFAULTS: ValueDefaults = { gamma: 0.9, learningRate: 3e-3, minibatchSize: 128, updatesPerBlock: 80 };

/** What the learners that are present do is worth the sum of what each does, and gets the sum of their rewards: [M 1]. */
export const summedValues: Objective = {
  isJoint: false,
  shared: NO_SHARED_NETWORKS,
  predictions({ seats: { chosen, next, rewards, learning }, discount }) {
    const present = (values: typeof chosen) => reduceSum(multiply(learning, values), [1], { keepDims: true });
    return {
      predicted: present(chosen),
      targets: add(present(rewards), multiply(discount, present(next))),
      counts: constant(1, discount.shape),
    };
  },
};

/**
 * Value decomposition: a team's actions are worth the sum of what each is worth, learnt from the team's reward.
 *
 * @source Sunehag et al. 2018: Value-Decomposition Networks For Cooperative Multi-Agent Learning (arXiv 1706.05296)
 */
export const vdn = valueAlgorithm(
  {
    name: 'vdn',
    aliases: ['value_decomposition'],
    summary: 'deep Q-learning of a team: the worth of joint actions is the sum of what each is worth',
    parametersSchema: (world) => z.strictObject({ name: z.literal('vdn'), ...valueSettings(world, DEFAULTS) }),
  },
  () => summedValues,
);
