import { z } from 'zod';
import type { Strategy, StrategyOptions } from '../../learning/strategies/contract.ts';
import { pool } from '../../learning/strategies/pool.ts';
import { DEFAULT_REGISTRIES, type Registries } from '../../specification/registries.ts';

interface CostlyOptions extends StrategyOptions {
  readonly kind: 'costly';
  readonly size: number;
  readonly weights: null;
  readonly every_rounds: number;
  readonly members: number;
  readonly probes: number;
}

/** A pool that asks for the validation returns of its members and probes candidates, as often as its options say. */
const costly: Strategy<CostlyOptions> = {
  ...(pool as unknown as Strategy<CostlyOptions>),
  kind: 'costly',
  optionsSchema: z.strictObject({
    kind: z.literal('costly'),
    size: z.int().default(2),
    weights: z.null().default(null),
    every_rounds: z.int().min(1).default(1),
    members: z.int().default(1),
    probes: z.int().default(0),
  }),
  needs: ({ members }) => (members > 0 ? ['validation_returns'] : []),
  isDue: ({ every_rounds: every }, round) => round % every === 0,
  probeEpisodesMax: ({ probes }) => probes,
  learnerCount: ({ members }) => members,
};

/** All there is, and the strategy above. */
export const COSTLY_REGISTRIES: Registries = {
  ...DEFAULT_REGISTRIES,
  strategies: { ...DEFAULT_REGISTRIES.strategies, costly },
};
