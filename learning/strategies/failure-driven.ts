import { type Admission, admit, type JudgedCandidate } from '../failures/admission/admit.ts';
import { contributionsOf, type EntryOutcomes, withOutcomes } from '../failures/admission/contribution.ts';
import { createGenerator } from '../failures/generators/registry.ts';
import type { CandidateGenerator, GeneratorContext, Kept } from '../failures/generators/contract.ts';
import { EVICTIONS } from '../failures/admission/eviction.ts';
import { parameterDistance } from '../failures/admission/novelty.ts';
import { type FailureDrivenOptions, failureDrivenSchema } from '../failures/options.ts';
import { fitPredictor, type Predictor } from '../failures/prediction/predictor.ts';
import { replayShares } from '../failures/admission/replay.ts';
import type {
  Candidate,
  CandidateScores,
  Decision,
  Evidence,
  PoolEntry,
  Proposal,
  Strategy,
  StrategyState,
} from './contract.ts';
import { isDueEveryRounds } from './every-rounds.ts';
import { checkFifo, enteredIn, type FifoState, fifoPlayedMax, freshDraws, proposeDraws } from './fifo-pool.ts';
import { PLAIN_STRATEGY, poolDecision } from './fixed-pool.ts';

type Options = FailureDrivenOptions;
type Random = Parameters<Strategy['propose']>[2];

interface Memory {
  readonly outcomes: EntryOutcomes;
  /** What the generator keeps of the failures that were mined last; null before any were. */
  readonly kept: Kept | null;
  /** Candidates made of failures so far. */
  readonly made: number;
}

interface FailureState extends FifoState, Memory {}

interface ProposalState extends FailureState {
  /** By name of the candidate; NaN where nothing is predicted. */
  readonly predicted: Readonly<Record<string, number>>;
}

const NOTHING_KNOWN: Memory = { outcomes: {}, kept: null, made: 0 };

/**
 * A pool that simulators enter on which the policy is predicted to go wrong: failures are mined on the validation panel
 * and edited, draws are compared by what the episodes played anyway tell of their parameters, the best enter, and
 * something leaves. Each step is a file in `learning/failures/`.
 * @source ours; relatives: UPD arXiv 2508.06336, ACCEL arXiv 2203.01302
 */
export const failureDriven: Strategy<Options> = {
  ...PLAIN_STRATEGY,
  kind: 'failure_driven',
  summary: 'failures are mined, edited and predicted, and become the simulators to train on',
  optionsSchema: failureDrivenSchema,
  needs: ({ mining, score }) => [
    ...(score === 'none' ? [] : (['episode_samples'] as const)),
    ...(mining === 'none' ? [] : (['validation_panel'] as const)),
  ],
  check: (evidence) => [...checkFifo(evidence), ...neverMines(evidence)],
  varied: ({ trainPanel }) => trainPanel,
  isDue: isDueEveryRounds,
  mining,
  probeEpisodesMax: (options, roundIndex) =>
    hasMined(options, roundIndex) ? probeCount(options) * generatorOf(options).probeEpisodes : 0,
  playedMax: (evidence) => fifoPlayedMax(evidence) + grownMax(evidence),
  propose,
  decide,
};

function generatorOf({ generator, edit_kinds }: Options): CandidateGenerator {
  return createGenerator(generator, edit_kinds);
}

/** Candidates of a decision that are played before they may enter. */
function probeCount({ added, mining: mines, edits }: Options): number {
  return mines === 'none' ? 0 : Math.min(added, added * edits);
}

/** Entries above the size of a pool that nothing leaves. */
function grownMax({ options, roundCount }: Evidence<Options>): number {
  if (options.eviction !== 'none') return 0;
  return options.added * Math.floor((roundCount - 1) / options.every_rounds);
}

/** Mining that no decision of the run falls on would be left out without a word. */
function neverMines({ options, roundCount }: Evidence<Options>): ReturnType<Strategy['check']> {
  if (options.mining === 'none' || hasMined(options, roundCount - 1)) return [];
  const { every_rounds } = options.mining;
  return [
    {
      key: 'mining',
      problem: `of ${roundCount} rounds none but the last has a decision and is a multiple of ${every_rounds}, so that nothing is mined`,
      remedy: 'Make mining.every_rounds a multiple of every_rounds below budget.rounds, or write "mining": "none".',
    },
  ];
}

/** Whether there is something to make candidates of when so many rounds are completed. */
function hasMined(options: Options, roundIndex: number): boolean {
  const rounds = Array.from({ length: roundIndex }, (_, index) => index + 1);
  return rounds.some((round) => isDueEveryRounds(options, round) && mining(options, round) !== null);
}

function mining({ mining: wanted }: Options, roundIndex: number): ReturnType<Strategy['mining']> {
  if (wanted === 'none' || roundIndex === 0 || roundIndex % wanted.every_rounds !== 0) return null;
  const { episodes, draws, select, share, per_simulator: perSimulatorMax, groups: groupsMax } = wanted;
  return { episodes, draws, select, share, perSimulatorMax, groupsMax };
}

function propose(state: StrategyState | null, evidence: Evidence<Options>, random: Random): Proposal {
  const { options } = evidence;
  const drawn = proposeDraws(state, evidence, { drawCount: options.added * options.draws, random });
  if (state === null) return { ...drawn, state: { ...drawn.state, ...NOTHING_KNOWN, predicted: {} } };
  const predictor = options.score === 'none' ? null : fitPredictor(evidence, options.score);
  const before = drawn.state as FailureState;
  const known = before.entries.map(({ simulator }) => simulator);
  const context = { ...evidence, predict: predictor, known, scale: options.edit_scale };
  const kept = keptAfter(before, evidence, context, random);
  const edited = kept === null ? [] : editedCandidates(before.made, evidence, { kept, context, random });
  const candidates = [...drawn.candidates, ...edited];
  const predicted = predictions(candidates, evidence, predictor);
  const outcomes = withOutcomes(
    before.outcomes,
    evidence.training,
    before.entries.map(({ name }) => name),
  );
  const next: ProposalState = { ...before, outcomes, kept, made: before.made + edited.length, predicted };
  return { state: next, candidates, probes: probesOf(edited, predicted, options) };
}

function keptAfter(
  { kept }: Memory,
  { mined, roundIndex, options }: Evidence<Options>,
  context: GeneratorContext,
  random: Random,
): Kept | null {
  return mined === null ? kept : generatorOf(options).keep(mined, roundIndex, context, random);
}

function editedCandidates(
  made: number,
  { options }: Evidence<Options>,
  { kept, context, random }: { kept: Kept; context: GeneratorContext; random: Random },
): Candidate[] {
  const edited = generatorOf(options).propose(kept, options.added * options.edits, context, random);
  return edited.map(({ simulator, failure, parent, origin }, index) => ({
    name: `${parent}@${failure}~${made + index + 1}`,
    simulator,
    parents: [parent],
    origin,
    failure,
  }));
}

function predictions(
  candidates: readonly Candidate[],
  { compile }: Evidence<Options>,
  predictor: Predictor | null,
): ProposalState['predicted'] {
  return Object.fromEntries(
    candidates.map(({ name, simulator }) => [name, predictor === null ? NaN : predictor(compile(simulator))]),
  );
}

/** Those made of failures that are predicted best are played, where the generator is not trusted without. */
function probesOf(
  edited: readonly Candidate[],
  predicted: ProposalState['predicted'],
  options: Options,
): Proposal['probes'] {
  const { probeEpisodes: episodes } = generatorOf(options);
  if (episodes === 0) return [];
  const scores = edited.map(({ name }) => predicted[name]!);
  const order = [...edited.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b);
  return order.slice(0, probeCount(options)).map((index) => ({ candidate: edited[index]!.name, episodes }));
}

function decide(proposal: Proposal, evidence: Evidence<Options>, scores: CandidateScores): Decision {
  const { predicted, ...state } = proposal.state as ProposalState;
  const admission = chooseAmong(proposal, predicted, evidence, scores);
  const entries = [...state.entries, ...enteredIn(evidence.roundIndex, admission.admitted)];
  const { size, eviction, fresh_share, replay } = evidence.options;
  const rule = EVICTIONS[eviction];
  const names = entries.map(({ name }) => name);
  const contributions = contributionsOf(state.outcomes, names);
  const judged = names.map((name, index) => ({ name, contribution: contributions[index]! }));
  const leaving = new Set(rule.choose(judged, Math.max(0, entries.length - size)));
  const staying = [...entries.keys()].filter((index) => !leaving.has(index));
  const shares = replayShares(
    replay,
    staying.map((index) => contributions[index]!),
  );
  const kept = staying.map((index, place): PoolEntry => ({
    ...entries[index]!,
    weight: (1 - fresh_share) * shares[place]!,
    randomization: {},
    learns: true,
    ...taught(contributions[index]!),
  }));
  const next: FailureState = { ...state, entries: staying.map((index) => entries[index]!) };
  return {
    ...poolDecision(next, [...kept, ...freshDraws(evidence)]),
    judgements: admission.judgements,
    evictions: [...leaving].map((index) => ({
      name: judged[index]!.name,
      reason: rule.reason,
      ...taught(contributions[index]!),
    })),
  };
}

const taught = (contribution: number) => (Number.isNaN(contribution) ? {} : { contribution });

/** At the start everything drawn enters; later the best. */
function chooseAmong(
  { candidates, probes, state }: Proposal,
  predicted: ProposalState['predicted'],
  { compile, parameters, randomization, roundIndex, options, training }: Evidence<Options>,
  scores: CandidateScores,
): Admission {
  const played = training.filter(({ episodes }) => episodes > 0);
  const episodeCount = played.reduce((sum, { episodes }) => sum + episodes, 0);
  const usual = played.reduce((sum, { episodes, returnMean }) => sum + episodes * returnMean, 0) / episodeCount;
  const judged = candidates.map((candidate): JudgedCandidate => ({
    candidate,
    vector: compile(candidate.simulator),
    score: predicted[candidate.name] ?? NaN,
    refusal: probes.length === 0 || candidate.failure === undefined ? null : refusalOf(scores[candidate.name], usual),
  }));
  return admit(judged, {
    count: roundIndex === 0 ? candidates.length : options.added,
    noveltyWeight: options.novelty,
    pool: (state as ProposalState).entries.map(({ simulator }) => compile(simulator)),
    distance: parameterDistance(parameters, randomization),
  });
}

/** What was made to be hard and is played better than the pool is trivial. @param usual mean return in the pool */
function refusalOf(probe: CandidateScores[string] | undefined, usual: number): string | null {
  if (probe === undefined) return 'not played: others were predicted to be worth more';
  // Where nothing is known of either, nothing speaks against it.
  if (!(probe.returnMean >= usual)) return null;
  return `trivial: played, it gave ${probe.returnMean.toPrecision(4)}, and the pool ${usual.toPrecision(4)}`;
}
