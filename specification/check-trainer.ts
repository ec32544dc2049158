import { isCommand } from '../learning/trainers/command.ts';
import type { World } from '../simulators/contract.ts';
import { keyFrom, PURPOSE, RandomStream } from '../simulators/random.ts';
import { strategyEvidence, type StrategySetting } from './evidence.ts';
import type { Finding } from './finding.ts';
import type { Registries } from './registries.ts';

const FITTING =
  'a strategy that asks neither a critic nor further policies: frozen, pool, domain_randomization, curriculum';

/**
 * Strategies that a program of the user cannot serve: those that ask what a critic expected of each episode, because it
 * tells nothing of a critic, and those that have more than one policy trained, because it trains one.
 * @param setting one that the strategy finds nothing wrong with
 */
export function checkTrainer(setting: StrategySetting, world: World, { strategies }: Registries): Finding[] {
  if (!isCommand(setting.algorithm)) return [];
  const strategy = strategies[setting.strategy.kind]!;
  const needs = strategy.needs(setting.strategy);
  if (needs.includes('episode_scores') || needs.includes('episode_samples')) {
    const found = `"${strategy.kind}", which with these options compares episodes by what a critic expected; a trainer tells of no critic`;
    const remedy =
      'Write "score": "none" (failure_driven), "learnability" or "return_variance" (adaptive), or take another strategy.';
    return [{ path: ['strategy', 'score'], found, expected: FITTING, remedy }];
  }
  if (memberCount(setting, world, { strategies }) === 1) return [];
  const found = `"${strategy.kind}", which has several policies trained in a run; a trainer trains one`;
  const remedy = 'Take another strategy, or an algorithm of Thaw.';
  return [{ path: ['strategy', 'kind'], found, expected: FITTING, remedy }];
}

/** Who is trained is known from the first decision on. */
function memberCount(setting: StrategySetting, world: World, { strategies }: Pick<Registries, 'strategies'>): number {
  const strategy = strategies[setting.strategy.kind]!;
  const evidence = strategyEvidence(setting, world, 0);
  const random = new RandomStream(keyFrom(0, PURPOSE.strategy, 0));
  return strategy.decide(strategy.propose(null, evidence, random), evidence, {}, random).members.length;
}
