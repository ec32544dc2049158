import { z } from 'zod';
import type { SimulatorData } from '../../simulators/contract.ts';
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

/** Schema of `fresh_share`. @param usual its default */
export function freshShare(usual: number): z.ZodDefault<z.ZodNumber> {
  return z
    .number()
    .min(0)
    .lt(1)
    .default(usual)
    .describe(
      'Share of the episodes outside of the pool, in draws on the members of the train panel made for that episode alone.',
    );
}

/** Schemas of these options. */
export const FIFO_OPTIONS = {
  size: z
    .int()
    .min(1)
    .max(1024)
    .default(8)
    .describe(
      'Simulators in the pool, as long as any leave it; at the start the first of the train panel, filled up with draws.',
    ),
  every_rounds: everyRounds(1, 'Rounds between decisions.'),
  added: z.int().min(1).max(1024).default(2).describe('Simulators that enter at a decision; as many leave, if any do.'),
  fresh_share: freshShare(0.25),
};

/** Schema of how many draws compete for one place in the pool. */
export const drawsOption = z
  .int()
  .min(1)
  .max(1024)
  .default(16)
  .describe('Draws on the members of the train panel that are compared for each simulator that enters.');

export interface FifoEntry extends NamedSimulator {
  readonly parents: readonly string[];
  readonly reason: string;
  /** The mined failure that it was made from; absent where there is none. */
  readonly failure?: string;
}

export interface FifoState extends StrategyState {
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

/** Most simulators that such a pool holds, the fresh draws included. */
export function fifoPlayedMax({ options: { size, fresh_share }, trainPanel }: Evidence<FifoOptions>): number {
  return size + (fresh_share > 0 ? trainPanel.length : 0);
}

/** The simulators in the pool of a state, the oldest first. */
export function pooledSimulators(state: StrategyState): SimulatorData[] {
  return (state as FifoState).entries.map(({ simulator }) => simulator);
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
  const before = state === null ? startOf(evidence) : (state as FifoState);
  const { entries, drawn } = before;
  const count = state === null ? evidence.options.size - entries.length : drawCount;
  const known = entries.map(({ simulator }) => simulator);
  const candidates = drawCandidates(evidence, { count, drawn, known }, random);
  const next: FifoState = { ...before, drawn: drawn + count };
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
  const before = state as FifoState;
  const all = [...before.entries, ...enteredIn(evidence.roundIndex, admitted)];
  const entries = all.slice(-size);
  const weight = (1 - fresh_share) / entries.length;
  const kept = entries.map((entry): PoolEntry => ({ ...entry, weight, randomization: {}, learns: true }));
  const evictions = all.slice(0, -size).map(({ name }) => ({ name, reason: 'the oldest of the pool' }));
  return { ...poolDecision({ ...before, entries }, [...kept, ...freshDraws(evidence)]), evictions };
}

/** Candidates as entries of the pool. */
export function enteredIn(roundIndex: number, admitted: readonly Candidate[]): FifoEntry[] {
  return admitted.map(({ origin, ...entry }) => ({ ...entry, reason: `${origin} in round ${roundIndex}` }));
}

/** The members of the train panel, their parameters drawn anew for every episode. */
export function freshDraws({ options, trainPanel, randomization }: Evidence<FifoOptions>): PoolEntry[] {
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
