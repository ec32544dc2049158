import { proximalAlgorithm } from './proximal/algorithm.ts';

/**
 * Independent proximal policy optimization: every seat learns from its own observation and reward; seats of one group
 * share a network.
 *
 * @source de Witt et al.: Is Independent Learning All You Need in the StarCraft Multi-Agent Challenge? (arXiv 2011.09533)
 */
export const ippo = proximalAlgorithm(
  {
    name: 'ippo',
    aliases: ['independent_ppo'],
    summary: 'independent PPO with parameter sharing between seats of one role',
  },
  { centralCritic: false },
);
