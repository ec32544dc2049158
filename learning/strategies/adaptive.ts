import { z } from 'zod';
import { editEntries, introduce, type NewCounts, unlike } from './adaptive-candidates.ts';
import type { Candidate, Evidence, PoolEntry, Proposal, Strategy, StrategyOptions, StrategyState } from './contract.ts';
import { everyRounds, type EveryRoundsOptions, isDueEveryRounds } from './every-rounds.ts';
import { PLAIN_STRATEGY, poolDecision } from './fixed-pool.ts';
import { nothingToDraw } from './nothing-to-draw.ts';
import { type BufferEntry, type BufferOptions, inserted, scored, withEvidence } from './replay-buffer.ts';
import { replayDistribution } from './replay-distribution.ts';
import { needsCritic, outcomeFrom, REPLAY_SCORES } from './replay-score.ts';

interface AdaptiveOptions extends StrategyOptions, BufferOptions, EveryRoundsOptions {
  readonly kind: 'adaptive';
  readonly added: number;
  readonly edits: number;
  readonly edit_scale: number;
  readonly replay: number;
  readonly robust: boolean;
}

interface AdaptiveState extends StrategyState, NewCounts {
  /** The buffer, in the order in which its entries were inserted. */
  readonly entries: readonly BufferEntry[];
  /** Simulators that are played for the first time. */
  readonly pending: readonly Candidate[];
}

const EMPTY: AdaptiveState = { entries: [], pending: [], introduced: 0, edited: 0 };

const optionsSchema = z.strictObject({
  kind: z.literal('adaptive'),
  size: z
    .int()
    .min(1)
    .max(1024)
    .default(32)
    .describe('Simulators in the buffer; they are replayed once it is half full.'),
  every_rounds: everyRounds(1, 'Rounds between decisions.'),
  added: z
    .int()
    .min(1)
    .max(1024)
    .default(8)
    .describe('New simulators of a decision: members of the train panel first, then draws of `randomization` on them.'),
  edits: z
    .int()
    .min(0)
    .max(1024)
    .default(0)
    .describe('Further new simulators: children of replayed ones, with some ranged parameters moved (as in ACCEL).'),
  edit_scale: z
    .number()
    .gt(0)
    .max(1)
    .default(0.1)
    .describe('How far an edit moves a parameter, as a share of the width of its range; whole numbers by at least 1.'),
  replay: z
    .number()
    .gt(0)
    .lt(1)
    .default(0.8)
    .describe('Share of the episodes in simulators of the buffer; new ones have the rest.'),
  staleness: z
    .number()
    .min(0)
    .max(1)
    .default(0.3)
    .describe('ρ: share of the replays by the decisions since a simulator was last played, instead of by score.'),
  temperature: z
    .number()
    .min(0.01)
    .max(100)
    .default(0.3)
    .describe('β: a simulator of rank k is replayed in proportion to (1/k)^(1/β).'),
  score: z
    .enum(REPLAY_SCORES)
    .default('positive_value_loss')
    .describe(
      'What a simulator is replayed for. `learnability` is p(1−p), p the success rate; where it tells nothing apart, the ' +
        'variance of the return.',
    ),
  robust: z
    .boolean()
    .default(true)
    .describe('Whether episodes in new simulators are only scored, not learnt from, as soon as there are replays.'),
});

/**
 * A buffer of simulators, replayed by how much there is to learn in them: prioritised level replay, robust or not, and
 * with `edits` ACCEL.
 * @source PLR arXiv 2010.03934, robust PLR arXiv 2110.02439, ACCEL arXiv 2203.01302
 */
export const adaptive: Strategy<AdaptiveOptions> = {
  ...PLAIN_STRATEGY,
  kind: 'adaptive',
  summary: 'simulators are drawn, kept and replayed by how much there is to learn in them (PLR, ACCEL)',
  optionsSchema,
  needs: ({ score }) => (needsCritic(score) ? ['episode_scores'] : []),
  check: nothingToDraw,
  playedMax: ({ options: { size, added, edits } }) => size + added + edits,
  varied: ({ trainPanel }) => trainPanel,
  isDue: isDueEveryRounds,
  propose: (state, evidence, random) => {
    const before = state === null ? EMPTY : (state as AdaptiveState);
    const { entries, waiting } = afterEpisodes(before, evidence);
    return proposeNew({ ...before, entries, pending: waiting }, evidence, random);
  },
  decide: ({ state, candidates }, { options }) => {
    const { entries } = state as AdaptiveState;
    const isReplaying = canReplay(entries, options);
    const share = candidates.length === 0 ? 1 : isReplaying ? options.replay : 0;
    const learns = !(options.robust && isReplaying);
    return poolDecision(state, [...replayed(entries, options, share), ...firstPlayed(candidates, 1 - share, learns)]);
  },
};

function canReplay(entries: readonly BufferEntry[], { size }: AdaptiveOptions): boolean {
  return entries.length > 0 && entries.length >= size / 2;
}

/** The buffer after the episodes since the last decision, and the new simulators that were not played enough to judge. */
function afterEpisodes({ entries: earlier, pending }: AdaptiveState, { options, training }: Evidence<AdaptiveOptions>) {
  const evidence = new Map(training.map((entry) => [entry.name, entry]));
  let entries: readonly BufferEntry[] = withEvidence(earlier, evidence);
  const waiting: Candidate[] = [];
  for (const candidate of pending) {
    const outcome = outcomeFrom(evidence.get(candidate.name), null);
    if (outcome === null) waiting.push(candidate);
    else entries = inserted(entries, { ...candidate, outcome }, options);
  }
  return { entries, waiting };
}

/** New simulators besides those that wait, as many as there is room for. */
function proposeNew(
  { entries, pending, introduced, edited }: AdaptiveState,
  evidence: Evidence<AdaptiveOptions>,
  random: Parameters<Strategy['propose']>[2],
): Proposal {
  const { options, trainPanel } = evidence;
  const room = options.added + options.edits - pending.length;
  const count = Math.min(options.added, room);
  const known = [...entries, ...pending];
  const fresh = introduce(evidence, { count, introduced, known }, random);
  const childCount = canReplay(entries, options) ? room - count : 0;
  const weights = replayDistribution(scored(entries, options.score), options);
  const edits = { entries, weights, count: childCount, edited, scale: options.edit_scale };
  const made = [...fresh, ...editEntries(evidence, edits, random)];
  const members = made.filter(({ parents }) => parents.length === 0);
  const others = made.filter(({ parents }) => parents.length > 0);
  const candidates = [...pending, ...members, ...unlike(others, [...known, ...trainPanel])];
  const state: AdaptiveState = {
    entries,
    pending: candidates,
    introduced: introduced + count,
    edited: edited + childCount,
  };
  return { state, candidates, probes: [] };
}

/** Entries of the buffer with their share of the episodes; those that have none are left out. */
function replayed(entries: readonly BufferEntry[], options: AdaptiveOptions, share: number): PoolEntry[] {
  const ranked = scored(entries, options.score);
  const weights = replayDistribution(ranked, options);
  return entries
    .map(({ name, simulator, parents, origin }, index) => ({
      name,
      simulator,
      parents,
      weight: share * weights[index]!,
      reason: `replayed for its ${options.score} of ${ranked[index]!.score.toPrecision(4)}; ${origin}`,
      randomization: {},
      learns: true,
    }))
    .filter(({ weight }) => weight > 0);
}

/** New simulators, equally often. */
function firstPlayed(candidates: readonly Candidate[], share: number, learns: boolean): PoolEntry[] {
  return candidates.map(({ name, simulator, parents, origin }) => ({
    name,
    simulator,
    parents,
    weight: share / candidates.length,
    reason: `${learns ? 'new' : 'new, only scored'}: ${origin}`,
    randomization: {},
    learns,
  }));
}
