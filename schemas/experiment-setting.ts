import { z } from 'zod';
import { distinct } from './distinct.ts';
import { LIMITS } from './experiment-limits.ts';
import { trainerSchema } from './trainer.ts';

/** Names of experiments, variants and simulators: they appear in tables, file names and paths. */
export const nameSchema = z
  .string()
  .max(LIMITS.nameLength)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/)
  .meta({
    title: `a name of at most ${LIMITS.nameLength} letters, digits, dots, underscores and hyphens, the first a letter or digit`,
  });

const panel = (description: string) =>
  distinct(z.array(nameSchema).max(LIMITS.panelSize)).default([]).describe(description);

const panelsSchema = z.strictObject({
  train: panel('Simulators that pools start from.'),
  validation: panel('Never trained on; checkpoints are chosen and failures are mined here.'),
  test: panel('Never trained on, never mined, never chosen on: the held-out return is measured here.'),
});

const budgetSchema = z.strictObject({
  env_steps: z.int().min(1).max(LIMITS.envSteps).describe('Joint steps of one environment, over the whole run.'),
  rounds: z.int().min(1).max(LIMITS.rounds).default(20).describe('Units of progress and of recovery of a run.'),
  count: z
    .enum(['training', 'all'])
    .default('training')
    .describe('Which steps count: those trained on, or those of mining, scoring and due evaluations as well.'),
});

/** What the literature's signs are measured in, and what every evaluation played before this could be said. */
const BEHAVIOUR_GROUPS_MAX = 32;
/** The same of the random policy's returns. */
const REFERENCE_EPISODES_MAX = 320;

const evaluationSchema = z.strictObject({
  every_rounds: z.int().min(1).max(LIMITS.rounds).default(10).describe('Evaluate after every so many rounds.'),
  episodes: z.int().min(1).max(LIMITS.episodes).default(50).describe('Episodes on each simulator.'),
  final_episodes: z
    .int()
    .min(1)
    .max(LIMITS.episodes)
    .default(320)
    .describe('Episodes on each simulator at the end of a run.'),
  reference_episodes: z
    .int()
    .min(2)
    .max(REFERENCE_EPISODES_MAX)
    .default(REFERENCE_EPISODES_MAX)
    .describe('Episodes of the random policy on each simulator, which gains are measured from.'),
  behaviour_groups: z
    .int()
    .min(2)
    .max(BEHAVIOUR_GROUPS_MAX)
    .default(BEHAVIOUR_GROUPS_MAX)
    .describe('Groups of 8 episodes with sampled actions, in which every evaluation measures how policies behave.'),
  policy_mode: z
    .enum(['deterministic', 'sampled'])
    .default('deterministic')
    .describe('The most probable action, or one drawn from the policy.'),
  seed: z.int().min(0).max(LIMITS.seedMax).default(0).describe('The same start states for every run and simulator.'),
});

const verdictSchema = z.strictObject({
  watch: z.number().min(-10).max(10).default(0.1).describe('Relative gap from which a run is to be watched.'),
  collapsed: z.number().min(-10).max(10).default(0.2).describe('Relative gap above which a run has collapsed.'),
});

const floor = z.number().min(0).max(1e6).optional().describe('By default what two seeds of one simulator differ by.');

const diversitySchema = z.strictObject({
  metric: z
    .enum(['trajectory_kl', 'state_visitation', 'reward_distribution'])
    .default('state_visitation')
    .describe('Distance between simulators.'),
  floor: z
    .strictObject({ trajectory_kl: floor, state_visitation: floor, reward_distribution: floor })
    .optional()
    .describe('Held-out simulators that are nearer to a training simulator than all of these are refused.'),
  waiver: z
    .string()
    .min(1)
    .max(LIMITS.descriptionLength)
    .optional()
    .describe('The reason why held-out simulators may be nearer than the floors; kept with the experiment.'),
});

/** Everything a variant may change. What belongs to a family, an algorithm or a strategy is checked by its own schema. */
export const settingShape = {
  family_options: z.looseObject({}).default({}).describe('Options of the family, e.g. how many agents.'),
  simulators: z
    .record(nameSchema, z.looseObject({}))
    .default({})
    .describe('Simulators by name, beside those of the catalogue of the family.'),
  panels: panelsSchema.default({ train: [], validation: [], test: [] }).describe('Which simulators are for what.'),
  randomization: z
    .record(z.string().min(1), z.tuple([z.number(), z.number()]))
    .default({})
    .describe('Path of a parameter of simulators → [low, high], both included.'),
  algorithm: z
    .looseObject({ name: z.string().describe('Which algorithm.') })
    .default({ name: 'ippo' })
    .describe('The learning algorithm and its parameters.'),
  trainer: trainerSchema.optional().describe('A program of yours that trains in the place of an algorithm.'),
  strategy: z
    .looseObject({ kind: z.string().describe('Which strategy.') })
    .describe('The rule that changes the pool of a run.'),
  budget: budgetSchema.describe('How long a run is.'),
  evaluation: evaluationSchema.prefault({}).describe('When and how policies are evaluated.'),
  verdict: verdictSchema.prefault({}).describe('Limits of the verdict on a run.'),
  diversity: diversitySchema.prefault({}).describe('How different simulators are.'),
} as const;
