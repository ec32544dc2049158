import { z } from 'zod';
import type {
  Candidate,
  Evidence,
  NamedSimulator,
  PoolEntry,
  Strategy,
  StrategyOptions,
} from '../../learning/strategies/contract.ts';
import { pool } from '../../learning/strategies/pool.ts';
import { DEFAULT_REGISTRIES, type Registries } from '../../specification/registries.ts';

interface MinerOptions extends StrategyOptions {
  readonly kind: 'miner';
  readonly size: number;
  readonly weights: null;
  readonly draws: 'fixed' | 'fresh';
  /** Whether it proposes a copy of a validation simulator at every later decision, and trains on it where it may. */
  readonly copies: boolean;
}

/** Of each simulator. */
const EPISODES = 6;

const COPY = 'copy';

function copyOf({ name, simulator }: NamedSimulator): Candidate {
  return { name: COPY, simulator, parents: [name], origin: 'copied' };
}

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
      copies: z.boolean().default(false),
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
      const proposal = base.propose(state, evidence, random);
      if (!evidence.options.copies || evidence.roundIndex === 0) return proposal;
      return { ...proposal, candidates: [...proposal.candidates, copyOf(evidence.validationPanel[0]!)] };
    },
    decide: (proposal, evidence, scores, random) => {
      const copies = proposal.candidates.filter(({ name }) => name === COPY);
      const own = proposal.candidates.filter(({ name }) => name !== COPY);
      const decision = base.decide({ ...proposal, candidates: own }, evidence, scores, random);
      if (copies.length === 0) return decision;
      const [copy] = copies.map((entry): PoolEntry => ({
        ...entry,
        weight: 1,
        reason: 'copied',
        randomization: {},
        learns: true,
      }));
      return { ...decision, pool: [copy!] };
    },
  };
  const strategies = { ...DEFAULT_REGISTRIES.strategies, miner };
  return { registries: { ...DEFAULT_REGISTRIES, strategies }, told };
}
