import { z } from 'zod';
import { DECIDED_ONCE, poolDecision } from './fixed-pool.ts';
import { oneSimulator, unknownSimulator } from './one-simulator.ts';
import type { Strategy, StrategyOptions } from './contract.ts';

interface FrozenOptions extends StrategyOptions {
  readonly kind: 'frozen';
  readonly simulator: string;
}

/** One simulator for the whole run: the baseline that collapses. */
export const frozen: Strategy<FrozenOptions> = {
  kind: 'frozen',
  summary: 'one simulator for the whole run',
  optionsSchema: z.strictObject({
    kind: z.literal('frozen'),
    simulator: z.string().min(1).describe('Name of the simulator to train on.'),
  }),
  ...DECIDED_ONCE,
  check: unknownSimulator,
  varied: () => [],
  decide: ({ state }, evidence) =>
    poolDecision(state, [oneSimulator(evidence, evidence.options.simulator, 'the frozen simulator')]),
};
