import { z } from 'zod';
import { distinct } from '../../schemas/distinct.ts';
import { nameSchema } from '../../schemas/experiment-setting.ts';
import { LIMITS } from '../../schemas/experiment-limits.ts';
import { type Dialect, FORM_ROUNDS, FORM_WORLD } from './dialect.ts';

const batchFormSchema = z.strictObject({
  experiment_id: nameSchema.describe('Name of the experiment.'),
  seed: z.int().min(0).max(LIMITS.seedMax).describe('The one seed.'),
  simulator_variants: distinct(z.array(nameSchema).min(1).max(LIMITS.panelSize)).describe(
    'Simulators: one variant is trained on each and tested on all the others.',
  ),
  algorithm: z.string().min(1).describe('Name of the learning algorithm.'),
  train_timesteps: z.int().min(1).max(LIMITS.envSteps).describe('Joint steps of one environment in a run.'),
  eval_episodes: z.int().min(1).max(LIMITS.episodes).optional().describe('Episodes on each simulator.'),
  output_dir: z.string().min(1).max(1024).optional().describe('Folder for results, relative to this file.'),
});

/** One frozen variant for each simulator, tested on all the others. */
export const batchForm: Dialect<z.output<typeof batchFormSchema>> = {
  form: 'batch',
  marks: ['experiment_id', 'simulator_variants'],
  schema: batchFormSchema,
  translate: (document) => ({
    name: document.experiment_id,
    ...FORM_WORLD,
    algorithm: { name: document.algorithm },
    variants: Object.fromEntries(
      document.simulator_variants.map((simulator) => [
        simulator,
        {
          strategy: { kind: 'frozen', simulator },
          panels: { train: [simulator], test: document.simulator_variants.filter((other) => other !== simulator) },
        },
      ]),
    ),
    seeds: [document.seed],
    budget: { env_steps: document.train_timesteps, rounds: FORM_ROUNDS },
    ...(document.eval_episodes === undefined
      ? {}
      : { evaluation: { episodes: document.eval_episodes, final_episodes: document.eval_episodes } }),
    ...(document.output_dir === undefined ? {} : { output_dir: document.output_dir }),
  }),
  origins: [
    [['name'], 'experiment_id'],
    [['seeds'], 'seed'],
    [['variants'], 'simulator_variants'],
    [['algorithm'], 'algorithm'],
    [['budget'], 'train_timesteps'],
    [['evaluation'], 'eval_episodes'],
    [['output_dir'], 'output_dir'],
  ],
};
