import { z } from 'zod';
import { drawsOption, FIFO_OPTIONS, type FifoOptions, freshShare } from '../strategies/fifo-pool.ts';
import { EVICTIONS, type EvictionName } from './admission/eviction.ts';
import { EDIT_KINDS, type EditKind } from './generators/edits/registry.ts';
import { GENERATORS } from './generators/registry.ts';
import { PREDICTED_SCORES, type PredictedScoreName } from './prediction/predicted-score.ts';

/** How validation episodes are mined; see `MiningPlan`. */
export interface MiningOptions {
  readonly every_rounds: number;
  readonly episodes: number;
  readonly draws: 'fixed' | 'fresh';
  readonly select: 'lowest' | 'random';
  readonly share: number;
  readonly per_simulator: number;
  readonly groups: number;
}

export interface FailureDrivenOptions extends FifoOptions {
  readonly kind: 'failure_driven';
  /** A word and not null: null in a variant takes a key away, and the default would stand in its place. */
  readonly mining: MiningOptions | 'none';
  readonly generator: string;
  readonly edit_kinds: readonly EditKind[];
  readonly edit_scale: number;
  readonly draws: number;
  readonly edits: number;
  readonly score: PredictedScoreName | 'none';
  readonly novelty: number;
  readonly eviction: EvictionName;
  readonly replay: 'uniform' | 'rank';
}

const namesOf = <Name extends string>(registry: Readonly<Record<Name, unknown>>) =>
  Object.keys(registry) as [Name, ...Name[]];

const described = (registry: Readonly<Record<string, { readonly summary: string }>>): string =>
  Object.entries(registry)
    .map(([name, { summary }]) => `\`${name}\`: ${summary}`)
    .join('; ');

const miningSchema = z.strictObject({
  every_rounds: z
    .int()
    .min(1)
    .max(10_000)
    .default(5)
    .describe('Rounds between minings; one falls together with a decision or is left out.'),
  episodes: z
    .int()
    .min(2)
    .max(1024)
    .default(8)
    .describe('Episodes of each validation simulator, played by the policy, by chance and by the scripted reference.'),
  draws: z
    .enum(['fixed', 'fresh'])
    .default('fresh')
    .describe(
      '`fixed`: the same episodes at every mining; `fresh`: others, ranged numbers varied by up to a tenth of their range.',
    ),
  select: z
    .enum(['lowest', 'random'])
    .default('lowest')
    .describe('Failures are the episodes of the lowest normalised score or, as a control, as many at random.'),
  share: z.number().gt(0).max(1).default(0.1).describe('Share of the mined episodes that are failures.'),
  per_simulator: z.int().min(1).max(64).default(3).describe('Most failures of one validation simulator.'),
  groups: z
    .int()
    .min(1)
    .max(16)
    .default(4)
    .describe('Groups of failures that look alike; each is a parent in turn. 1: no grouping.'),
});

/** Schema of the strategy's options. */
export const failureDrivenSchema: z.ZodType<FailureDrivenOptions> = z.strictObject({
  kind: z.literal('failure_driven'),
  ...FIFO_OPTIONS,
  fresh_share: freshShare(0.1),
  draws: drawsOption,
  score: z
    .enum([...namesOf(PREDICTED_SCORES), 'none'])
    .default('shortfall')
    .describe(
      `What is predicted of a candidate from its parameters, by the episodes played anyway. ${described(PREDICTED_SCORES)}; ` +
        '`none`: nothing, so that the most novel enter, or the first draws where `novelty` is 0.',
    ),
  novelty: z
    .number()
    .min(0)
    .max(100)
    .default(0)
    .describe('Weight of the distance from the pool beside the predicted score, both in standard deviations.'),
  mining: z
    .union([z.literal('none'), miningSchema])
    .prefault({})
    .describe('How failures are mined on the validation panel; `none`: not at all.'),
  generator: z
    .enum(namesOf(GENERATORS))
    .default('edits')
    .describe(`How candidates are made of failures. ${described(GENERATORS)}.`),
  edit_kinds: z
    .array(z.enum(EDIT_KINDS))
    .min(1)
    .default([...EDIT_KINDS])
    .describe('What the generator `edits` changes.'),
  edit_scale: z
    .number()
    .gt(0)
    .max(1)
    .default(0.2)
    .describe('How far an edit moves a number, as a share of the width of its range.'),
  edits: z
    .int()
    .min(0)
    .max(1024)
    .default(4)
    .describe('Candidates made of failures that are compared for each simulator that enters, beside the draws.'),
  eviction: z
    .enum(namesOf(EVICTIONS))
    .default('oldest')
    .describe(`What leaves a pool that is over its size. ${described(EVICTIONS)}.`),
  replay: z
    .enum(['uniform', 'rank'])
    .default('uniform')
    .describe('How often an entry is played: all alike, or by the rank of its contribution.'),
});
