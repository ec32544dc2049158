import type { Strategy } from './contract.ts';
import { curriculum } from './curriculum.ts';
import { domainRandomization } from './domain-randomization.ts';
import { frozen } from './frozen.ts';
import { pool } from './pool.ts';
import { randomGenerator } from './random-generator.ts';

/** Every strategy by the `kind` that a spec names. */
export const STRATEGIES: Readonly<Record<string, Strategy>> = {
  frozen: frozen,
  pool: pool,
  domain_randomization: domainRandomization,
  curriculum: curriculum,
  random_generator: randomGenerator,
};
