import { z } from 'zod';
import { DECIDED_ONCE, poolDecision } from './fixed-pool.ts';
import { noRanges } from './nothing-to-draw.ts';
import { oneSimulator, unknownSimulator } from './one-simulator.ts';
import type { Strategy, StrategyOptions } from './contract.ts';

interface DomainRandomizationOptions extends StrategyOptions {
  readonly kind: 'domain_randomization';
  readonly simulator: string;
}

/** One simulator whose parameters are drawn anew, uniformly in the spec's `randomization` ranges, for every episode. */
export const domainRandomization: Strategy<DomainRandomizationOptions> = {
  kind: 'domain_randomization',
  summary: 'one simulator, its parameters drawn uniformly in their ranges for every episode',
  optionsSchema: z.strictObject({
    kind: z.literal('domain_randomization'),
    simulator: z.string().min(1).describe('Name of the simulator whose parameters are randomized.'),
  }),
  ...DECIDED_ONCE,
  check: (evidence) => [...unknownSimulator(evidence), ...noRanges(evidence)],
  varied: ({ simulators, options }) => simulators.filter(({ name }) => name === options.simulator),
  decide: ({ state }, evidence) => {
    const { options, randomization } = evidence;
    const entry = oneSimulator(evidence, options.simulator, 'the simulator that is randomized');
    return poolDecision(state, [{ ...entry, randomization }]);
  },
};
