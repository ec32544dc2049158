import { z } from 'zod';
import type {
  Candidate,
  Decision,
  Evidence,
  NamedSimulator,
  PoolEntry,
  Proposal,
  Strategy,
  StrategyOptions,
  StrategyState,
} from './contract.ts';
import { drawCandidates } from './draw-candidates.ts';
import { everyRounds, type EveryRoundsOptions } from './every-rounds.ts';
import { poolDecision } from './fixed-pool.ts';
import { nothingToDraw } from './nothing-to-draw.ts';

/** Options of the strategies that add simulators to a pool and let the oldest go. */
export interface FifoOptions extends StrategyOptions, EveryRoundsOptions {
  readonly size: number;
  readonly added: number;
  readonly fresh_share: number;
}

/** Schemas of these options. */
export const FIFO_OPTIONS = {
  size: z
    .int()
    .min(1)
    .max(1024)
    .default(8)
    .describe('Simulators in the pool; at the start the first of the train panel, filled up with draws.'),
  every_rounds: everyRounds(1, 'Rounds between decisions.'),
  added: z
    .int()
    .min(1)
    .max(1024)
    .default(2)
    .describe('Simulators that enter at a decision; as many, the oldest, leave.'),
  fresh_share: z
    .number()
    .min(0)
    .lt(1)
    .default(0.25)
    .describe(
      'Share of the episodes outside of the pool, in draws on the members of the train panel made for that episode alone.',
    ),
};

interface FifoEntry extends NamedSimulator {
  readonly parents: readonly string[];
  readonly reason: string;
}

interface FifoState extends StrategyState {
  /** The oldest first. */
  readonly entries: readonly FifoEntry[];
  /** Draws of this run so far. */
  readonly drawn: number;
}

/** The check of these strategies. */
export function checkFifo(evidence: Evidence<FifoOptions>): ReturnType<Strategy['check']> {
  const { added, size } = evidence.options;
  if (added <= size) return nothingToDraw(evidence);
  const problem = `${added} simulators shall enter a pool of ${size}`;
  const remedy = 'Add at most as many simulators at a decision as the pool holds.';
  return [...nothingToDraw(evidence), { key: 'added', problem, remedy }];
}

/**
 * What may enter the pool: at the start the draws that fill it up behind the train panel, all of which do; later any
 * number of draws, of which the strategy chooses.
 * @param drawCount draws at a decision after the first
 */
export function proposeDraws(
  state: StrategyState | null,
  evidence: Evidence<FifoOptions>,
  { drawCount, random }: { drawCount: number; random: Parameters<Strategy['propose']>[2] },
): Proposal {
  const { entries, drawn } = state === null ? startOf(evidence) : (state as FifoState);
  const count = state === null ? evidence.options.size - entries.length : drawCount;
  const known = entries.map(({ simulator }) => simulator);
  const candidates = drawCandidates(evidence, { count, drawn, known }, random);
  const next: FifoState = { entries, drawn: drawn + count };
  return { state: next, candidates, probes: [] };
}

function startOf({ options, trainPanel }: Evidence<FifoOptions>): FifoState {
  const entries = trainPanel
    .slice(0, options.size)
    .map((entry) => ({ ...entry, parents: [], reason: 'member of the train panel' }));
  return { entries, drawn: 0 };
}

/**
 * The pool after some simulators entered it: the newest `size`, which share equally what the fresh draws leave.
 * @param proposal of `proposeDraws`
 * @param admitted those of its candidates that enter, the oldest first
 */
export function admitToPool(
  { state }: Proposal,
  evidence: Evidence<FifoOptions>,
  admitted: readonly Candidate[],
): Decision {
  const { size, fresh_share } = evidence.options;
  const { entries: earlier, drawn } = state as FifoState;
  const entered = admitted.map(({ origin, ...entry }) => ({
    ...entry,
    reason: `${origin} in round ${evidence.roundIndex}`,
  }));
  const entries = [...earlier, ...entered].slice(-size);
  const weight = (1 - fresh_share) / entries.length;
  const kept = entries.map((entry): PoolEntry => ({ ...entry, weight, randomization: {}, learns: true }));
  const next: FifoState = { entries, drawn };
  return poolDecision(next, [...kept, ...freshDraws(evidence)]);
}

/** The members of the train panel, their parameters drawn anew for every episode. */
function freshDraws({ options, trainPanel, randomization }: Evidence<FifoOptions>): PoolEntry[] {
  if (options.fresh_share === 0) return [];
  const weight = options.fresh_share / trainPanel.length;
  return trainPanel.map(({ name, simulator }) => ({
    name: `${name}~fresh`,
    simulator,
    weight,
    parents: [name],
    reason: `drawn from \`randomization\` around ${name} anew for every episode`,
    randomization,
    learns: true,
  }));
}
