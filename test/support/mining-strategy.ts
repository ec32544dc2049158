import { z } from 'zod';
import type { Evidence, Strategy, StrategyOptions } from '../../learning/strategies/contract.ts';
import { pool } from '../../learning/strategies/pool.ts';
import { DEFAULT_REGISTRIES, type Registries } from '../../specification/registries.ts';

interface MinerOptions extends StrategyOptions {
  readonly kind: 'miner';
  readonly size: number;
  readonly weights: null;
  readonly draws: 'fixed' | 'fresh';
}

/** Of each simulator. */
const EPISODES = 6;

/** A pool that has the validation panel mined after every round, and tells what it was told. */
export function minerRegistries(): { registries: Registries; told: Evidence[] } {
  const told: Evidence[] = [];
  const base = pool as unknown as Strategy<MinerOptions>;
  const miner: Strategy<MinerOptions> = {
    ...base,
    kind: 'miner',
    optionsSchema: z.strictObject({
      kind: z.literal('miner'),
      size: z.int().default(2),
      weights: z.null().default(null),
      draws: z.enum(['fixed', 'fresh']).default('fixed'),
    }),
    needs: () => ['episode_samples', 'validation_panel'],
    isDue: () => true,
    mining: ({ draws }) => ({
      episodes: EPISODES,
      draws,
      select: 'lowest',
      share: 0.5,
      perSimulatorMax: 3,
      groupsMax: 2,
    }),
    propose: (state, evidence, random) => {
      told.push(evidence);
      return base.propose(state, evidence, random);
    },
  };
  const strategies = { ...DEFAULT_REGISTRIES.strategies, miner };
  return { registries: { ...DEFAULT_REGISTRIES, strategies }, told };
}
