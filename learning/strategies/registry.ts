import { adaptive } from './adaptive.ts';
import { coTrain } from './co-train.ts';
import type { Strategy } from './contract.ts';
import { curriculum } from './curriculum.ts';
import { domainRandomization } from './domain-randomization.ts';
import { failureDriven } from './failure-driven.ts';
import { frozen } from './frozen.ts';
import { noveltyGenerator } from './novelty-generator.ts';
import { pool } from './pool.ts';
import { populationBasedTraining } from './population-based-training.ts';
import { population } from './population.ts';
import { randomGenerator } from './random-generator.ts';
import { selfPlay } from './self-play.ts';

/** Every strategy by the `kind` that a spec names. */
export const STRATEGIES: Readonly<Record<string, Strategy>> = {
  frozen: frozen,
  pool: pool,
  domain_randomization: domainRandomization,
  curriculum: curriculum,
  random_generator: randomGenerator,
  novelty_generator: noveltyGenerator,
  failure_driven: failureDriven,
  adaptive: adaptive,
  self_play: selfPlay,
  population: population,
  co_train: coTrain,
  population_based_training: populationBasedTraining,
};
