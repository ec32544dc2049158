import { z } from 'zod';
import type { RandomStream } from '../../simulators/random.ts';
import { basePool, type BasePoolOptions, simulatorsOption, wrongSimulators } from './base-pool.ts';
import { type Evidence, type Member, PLAIN_EPISODES, type Strategy } from './contract.ts';
import { drawLogUniform, exploitAndExplore, type Individual } from './exploit-and-explore.ts';
import { everyRounds, type EveryRoundsOptions, isDueEveryRounds } from './every-rounds.ts';
import { PLAIN_STRATEGY } from './fixed-pool.ts';
import { type HyperparameterRanges, hyperparameterRanges, wrongRanges } from './hyperparameter-ranges.ts';

interface PopulationBasedTrainingOptions extends BasePoolOptions, EveryRoundsOptions {
  readonly kind: 'population_based_training';
  readonly size: number;
  readonly rank_by: 'validation' | 'training';
  readonly hyperparameters: HyperparameterRanges | null;
}

/**
 * Several learners with hyper-parameters of their own share the env steps; the worst go on from the best. The best is the
 * run's policy.
 * @source Jaderberg et al. 2017, arXiv 1711.09846
 */
export const populationBasedTraining: Strategy<PopulationBasedTrainingOptions> = {
  ...PLAIN_STRATEGY,
  kind: 'population_based_training',
  summary: 'several learners share the env steps; the worst copy the best and change their hyper-parameters',
  optionsSchema: z.strictObject({
    kind: z.literal('population_based_training'),
    size: z
      .int()
      .min(4)
      .max(64)
      .default(4)
      .describe('Learners in the population, each with an equal share of the steps.'),
    every_rounds: everyRounds(2, 'Rounds between comparisons of the learners.'),
    rank_by: z
      .enum(['validation', 'training'])
      .default('validation')
      .describe('Compare returns on the validation panel, or those of the training episodes, which cost nothing.'),
    hyperparameters: z
      .record(z.string(), z.tuple([z.number().positive(), z.number().positive()]))
      .nullable()
      .default(null)
      .describe(
        'Name of a number of the algorithm → [low, high], drawn on a logarithmic scale; null for learning_rate and ' +
          'entropy_coefficient from a fifth to five times their values.',
      ),
    simulators: simulatorsOption,
  }),
  needs: ({ rank_by }) => (rank_by === 'validation' ? ['validation_returns'] : []),
  learnerCount: ({ size }) => size,
  check: (evidence) => [...wrongSimulators(evidence), ...wrongRanges(evidence)],
  playedMax: (evidence) => basePool(evidence).length,
  varied: () => [],
  isDue: isDueEveryRounds,
  propose: (state) => ({ state: state ?? {}, candidates: [], probes: [] }),
  decide: ({ state }, evidence, _scores, random) => {
    const known = state['population'] as readonly Individual[] | undefined;
    const ranges = hyperparameterRanges(evidence);
    const population =
      known === undefined
        ? firstGeneration(evidence, ranges, random)
        : exploitAndExplore(withScores(known, evidence), ranges, random);
    return {
      state: { population },
      pool: basePool(evidence),
      partners: [],
      members: population.map((individual) => memberOf(individual, evidence)),
      episodeRule: PLAIN_EPISODES,
    };
  },
};

/** The first member keeps to the spec; the others start anywhere in the ranges. */
function firstGeneration(
  { options, hyperparameters }: Evidence<PopulationBasedTrainingOptions>,
  ranges: HyperparameterRanges,
  random: RandomStream,
): Individual[] {
  return Array.from({ length: options.size }, (_, index) => {
    const values = Object.entries(ranges).map(
      ([name, range]) => [name, index === 0 ? hyperparameters[name]! : drawLogUniform(range, random)] as const,
    );
    return { name: `m${index}`, hyperparameters: Object.fromEntries(values), copies: `m${index}` };
  });
}

/** Nothing is known of somebody who has played no episode. */
function withScores(
  population: readonly Individual[],
  { options, members }: Evidence<PopulationBasedTrainingOptions>,
): (Individual & { readonly score: number })[] {
  return population.map((individual) => {
    const found = members.find(({ name }) => name === individual.name);
    const score = options.rank_by === 'validation' ? found?.validationReturn : found?.trainingReturn;
    return { ...individual, score: score ?? NaN };
  });
}

function memberOf(
  { name, hyperparameters, copies }: Individual,
  { options, hyperparameters: written }: Evidence<PopulationBasedTrainingOptions>,
): Member {
  const changed = Object.entries(hyperparameters).filter(([key, value]) => value !== written[key]);
  return {
    name,
    seats: 'learners',
    share: 1 / options.size,
    reward: 'own',
    hyperparameters: Object.fromEntries(changed),
    copies,
  };
}
