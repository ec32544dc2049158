import type {
  CandidateScores,
  Decision,
  Evidence,
  MemberEvidence,
  Proposal,
  Strategy,
  TrainingEvidence,
} from '../../learning/strategies/contract.ts';
import type { Mined } from '../../learning/failures/contract.ts';
import { crossPartners } from '../../learning/strategies/cross-partners.ts';
import type { EpisodeSummary } from '../../learning/rollout/episode-tally.ts';
import { keyFrom, PURPOSE, RandomStream } from '../../simulators/random.ts';
import { madeUpMined } from './made-up-mined.ts';
import { ROUNDS, type Situation } from './strategy-situation.ts';

/** One decision, with all that went into it. */
export interface Step {
  readonly evidence: Evidence;
  readonly proposal: Proposal;
  readonly decision: Decision;
}

/** An episode summary that is made up. @param score any number; returns grow with it */
function madeUpSummary(score: number, episodes: number): EpisodeSummary {
  const played = episodes > 0;
  return {
    episodes,
    returnMean: played ? score : NaN,
    returnStd: episodes > 1 ? 1 + (score % 3) ** 2 : NaN,
    lengthMean: played ? 25 : NaN,
    successRate: played ? Math.abs(score % 1) : NaN,
  };
}

/** Proposes, makes scores up for every candidate, and decides; all chance comes from the seed and the round. */
function decideOnce(
  strategy: Strategy,
  evidence: Evidence,
  seed: number,
  state: Decision['state'] | null = null,
): Step {
  const random = new RandomStream(keyFrom(seed, PURPOSE.strategy, evidence.roundIndex, 0));
  const proposal = strategy.propose(state, evidence, random);
  const scores: CandidateScores = Object.fromEntries(
    proposal.candidates.map(({ name }, index) => [name, madeUpSummary(index * 0.7, 8)]),
  );
  return { evidence, proposal, decision: strategy.decide(proposal, evidence, scores, random) };
}

export interface MadeUpRun {
  /** Evidence of the round 0. */
  readonly start: Evidence;
  /** Where validation episodes are mined. */
  readonly situation: Situation;
  readonly seed: number;
  /** What happens to a state between two decisions. */
  readonly store?: (state: Decision['state']) => Decision['state'];
}

/**
 * The decisions of a run whose training went as made up: returns rise, every fifth entry of a pool was not played.
 */
export function decideThroughRun(
  strategy: Strategy,
  { start, situation, seed, store = (state) => state }: MadeUpRun,
): Step[] {
  const steps: Step[] = [];
  for (let roundIndex = 0; roundIndex <= ROUNDS; roundIndex += 1) {
    if (!strategy.isDue(start.options, roundIndex)) continue;
    const last = steps.at(-1)?.decision;
    const evidence =
      last === undefined
        ? start
        : {
            ...start,
            roundIndex,
            ...madeUpOutcome(strategy, start, last, roundIndex),
            ...madeUpEpisodes(strategy, start, situation, roundIndex),
          };
    steps.push(decideOnce(strategy, evidence, seed, last === undefined ? null : store(last.state)));
  }
  return steps;
}

const MINED = new Map<string, Mined>();

/** Made once, because playing it takes longer than all decisions do. */
function minedAt(situation: Situation, roundIndex: number): Mined {
  const key = `${situation.world.family} ${roundIndex}`;
  // More than the predictor asks for, from the second decision on.
  const mined = MINED.get(key) ?? madeUpMined(situation, { episodes: 20 * roundIndex, seed: roundIndex });
  MINED.set(key, mined);
  return mined;
}

/** Real episodes of random learners stand for those that were trained on and for those that were mined. */
function madeUpEpisodes(
  strategy: Strategy,
  { options }: Evidence,
  situation: Situation,
  roundIndex: number,
): Pick<Evidence, 'samples' | 'mined'> {
  const plan = strategy.mining(options, roundIndex);
  const needsSamples = strategy.needs(options).includes('episode_samples');
  if (plan === null && !needsSamples) return { samples: [], mined: null };
  const mined = minedAt(situation, roundIndex);
  return { samples: needsSamples ? mined.samples : [], mined: plan === null ? null : mined };
}

function madeUpOutcome(
  strategy: Strategy,
  { options, groups }: Evidence,
  decision: Decision,
  roundIndex: number,
): Pick<Evidence, 'training' | 'members'> {
  const needs = strategy.needs(options);
  const training = crossPartners(decision).map(({ name }, index): TrainingEvidence => {
    const score = roundIndex + ((index * 7 + roundIndex * 3) % 11) / 10;
    const summary = madeUpSummary(score - 10, (index + roundIndex) % 5 === 4 ? 0 : 8);
    const scores = {
      positiveValueLoss: summary.episodes === 0 ? NaN : (score * 1.7) % 1,
      valueMean: summary.returnMean / 2,
      discountedReturnMax: summary.returnMean + 3,
      shortfall: summary.episodes === 0 ? NaN : (score * 2.3) % 1,
    };
    return { name, ...summary, scores: needs.includes('episode_scores') ? scores : null };
  });
  const members = decision.members.map(({ name }, index): MemberEvidence => ({
    name,
    trainingReturn: roundIndex - index,
    validationReturn: needs.includes('validation_returns') ? ((index * 5 + roundIndex) % 7) - 10 : null,
    policies: needs.includes('policies') ? groups.map((_, group) => madeUpHash(roundIndex, index, group)) : null,
  }));
  return { training, members };
}

/** Sixty-four hexadecimal digits that name these numbers, each below 256. */
function madeUpHash(...parts: readonly number[]): string {
  return parts
    .map((part) => part.toString(16).padStart(2, '0'))
    .join('')
    .padEnd(64, '0');
}
