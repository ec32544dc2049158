import { z } from 'zod';
import { distinct } from '../../schemas/distinct.ts';
import { LIMITS } from '../../schemas/experiment-limits.ts';
import { nameSchema } from '../../schemas/experiment-setting.ts';
import { type Dialect, FORM_ROUNDS, FORM_WORLD } from './dialect.ts';

/** Length of an episode of simple_spread, in which the form counts. */
const EPISODE_STEPS = 25;

const poolFormSchema = z.strictObject({
  algorithm: z.string().min(1).describe('Name of the learning algorithm.'),
  simulator_pool_size: z.int().min(1).max(LIMITS.panelSize).describe('Simulators to train on.'),
  episodes_per_simulator: z.int().min(1).max(1_000_000).describe('Episodes on each of them in a round.'),
  heldout_simulators: distinct(z.array(nameSchema).max(LIMITS.panelSize))
    .default([])
    .describe('Simulators to test on, never trained on.'),
  diversity_metric: z
    .enum(['trajectory_kl', 'state_visitation', 'reward_distribution'])
    .optional()
    .describe('Distance between simulators.'),
  eval_interval_rounds: z.int().min(1).max(LIMITS.rounds).optional().describe('Evaluate after every so many rounds.'),
  device: z.enum(['cpu', 'cuda']).optional().describe('Where networks are computed.'),
});

/** A pool of the first simulators of a numbered series that are not held out. */
export const poolForm: Dialect<z.output<typeof poolFormSchema>> = {
  form: 'pool',
  marks: ['simulator_pool_size', 'heldout_simulators'],
  schema: poolFormSchema,
  translate: (document, { fileName, simulators }) => ({
    name: nameFrom(fileName),
    ...FORM_WORLD,
    panels: {
      train: series(simulators)
        .filter((name) => !document.heldout_simulators.includes(name))
        .slice(0, document.simulator_pool_size),
      test: document.heldout_simulators,
    },
    algorithm: { name: document.algorithm },
    variants: { pool: { strategy: { kind: 'pool', size: document.simulator_pool_size } } },
    seeds: [0],
    budget: {
      env_steps: FORM_ROUNDS * document.simulator_pool_size * document.episodes_per_simulator * EPISODE_STEPS,
      rounds: FORM_ROUNDS,
    },
    ...(document.diversity_metric === undefined ? {} : { diversity: { metric: document.diversity_metric } }),
    ...(document.eval_interval_rounds === undefined
      ? {}
      : { evaluation: { every_rounds: document.eval_interval_rounds } }),
    ...(document.device === undefined ? {} : { execution: { device: document.device } }),
  }),
  origins: [
    [['panels', 'test'], 'heldout_simulators'],
    [['panels', 'train'], 'simulator_pool_size'],
    [['algorithm'], 'algorithm'],
    [['variants'], 'simulator_pool_size'],
    [['budget'], 'episodes_per_simulator'],
    [['diversity'], 'diversity_metric'],
    [['evaluation'], 'eval_interval_rounds'],
    [['execution', 'device'], 'device'],
  ],
};

/** The members of `sim_variant_1`, `sim_variant_2`, … in the order of their numbers. */
function series(simulators: readonly string[]): string[] {
  return simulators
    .flatMap((name) => {
      const number = /^sim_variant_([0-9]+)$/.exec(name)?.[1];
      return number === undefined ? [] : [{ name, number: Number(number) }];
    })
    .sort((a, b) => a.number - b.number)
    .map(({ name }) => name);
}

/** A legal name of an experiment made of the name of a file. */
function nameFrom(fileName: string): string {
  const legal = fileName.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return legal.slice(0, LIMITS.nameLength) || 'pool-form';
}
