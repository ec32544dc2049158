import type { UpdateMetrics } from './algorithms/contract.ts';
import { divergenceAmong, type MemberDivergence } from './member-divergence.ts';
import { type Crew, crewOf, type TrainedMember } from './rollout/crew.ts';
import type { EpisodeSummary } from './rollout/episode-tally.ts';
import { mean } from './statistics/moments.ts';
import type { PlayedRound } from './rollout/played-round.ts';
import type { RangeReport } from './rollout/range-report.ts';
import { RoundPlay } from './rollout/round-play.ts';
import type { EpisodeRecord } from './rollout/round-records.ts';
import type { SampleColumns } from './rollout/sample-log.ts';
import type { Sampler } from './rollout/sampler.ts';
import type { TurnBlock } from './rollout/turn-block.ts';

export interface TrainingRound extends PlayedRound {
  /** At least one in the learners' seats, the run's policy first, and at most one in those of partners. */
  readonly members: readonly TrainedMember[];
  /** Update blocks of this round. */
  readonly updateCount: number;
  /** Update blocks of the run before this round. */
  readonly updatesBefore: number;
  /** Who plays ranges of the environments beside this thread; the result does not depend on them. */
  readonly samplers: readonly Sampler[];
  /** Called after every update block; awaited, so that a process can answer its parent in between. */
  readonly onProgress: (updatesDone: number) => void | Promise<void>;
}

export interface TrainingResult {
  /** Why the round was given up, after which nothing else in it is of use; null when it was played to its end. */
  readonly divergence: MemberDivergence | null;
  readonly envSteps: number;
  /** Of these, the steps in simulators that nobody learns from. */
  readonly scoringEnvSteps: number;
  /** In the order of the pool. */
  readonly episodes: readonly EpisodeRecord[];
  /** The newest episodes one by one; null unless they were asked for. */
  readonly samples: SampleColumns | null;
  /** Of the members in the learners' seats, in their order. */
  readonly members: readonly (Pick<EpisodeSummary, 'episodes' | 'returnMean'> & { readonly name: string })[];
  /**
   * In the order of the pool: what the learners visited in the last update block of the first member that played, a
   * histogram for each state feature.
   */
  readonly visitation: readonly (readonly number[][])[];
  /**
   * Mean over the round's update blocks that reported it, by name. Those of other members than the first begin with the
   * member's name and a point.
   */
  readonly metrics: Readonly<Record<string, number>>;
}

/**
 * Trains for one round. The members in the learners' seats take turns, each in episodes of its own that are keyed alike,
 * so that all meet the same chance; a partner is beside each of them. Environments are reset at the start of a turn and
 * what is unfinished at its end is not reported, so a round depends on nothing but the learners' states and its index.
 * It ends at once when a member diverges without which the run cannot go on.
 */
export async function trainRound(round: TrainingRound): Promise<TrainingResult> {
  const crew = crewOf(round.members, round);
  const play = await RoundPlay.create({ round, crew, samplers: round.samplers });
  const names = round.pool.map(({ name }) => name);
  const reports: UpdateMetrics[] = [];
  let visitation: RangeReport['visits'] = null;
  let divergence: MemberDivergence | null = null;
  for (const [memberIndex, { updateCount }] of crew.turns.entries()) {
    if (updateCount === 0 || divergence !== null) continue;
    const turn = await play.startTurn(memberIndex);
    for (let update = 0; update < updateCount && divergence === null; update += 1) {
      const visits = await turn.collect({ countsVisits: visitation === null && update === updateCount - 1 });
      visitation ??= visits;
      round.onStage('update');
      reports.push(await updateMembers(crew, memberIndex, turn.block, names));
      divergence = divergenceAmong(round.members);
      await round.onProgress(reports.length);
    }
  }
  await play.release();
  return {
    divergence,
    envSteps: reports.length * round.environmentCount * round.stepCount,
    scoringEnvSteps: play.records.scoringEnvSteps,
    episodes: play.records.episodes(),
    samples: play.records.samples?.columns() ?? null,
    members: crew.turns.map(({ member }, index) => ({ name: member.name, ...play.records.ofMember(index) })),
    visitation: visitation ?? [],
    metrics: meanMetrics(reports),
  };
}

/** Everybody who played the block learns from it. */
async function updateMembers(
  { turns, partner }: Crew,
  memberIndex: number,
  { rollouts, partnerRollouts, played }: TurnBlock,
  simulators: readonly string[],
): Promise<UpdateMetrics> {
  const { learner, name } = turns[memberIndex]!.member;
  const experienced = { rollouts, played, simulators };
  const own = await learner.update(experienced);
  const metrics = memberIndex === 0 ? own : prefixed(own, name);
  if (partner === null) return metrics;
  return {
    ...metrics,
    ...prefixed(await partner.learner.update({ ...experienced, rollouts: partnerRollouts }), partner.name),
  };
}

function prefixed(metrics: UpdateMetrics, name: string): UpdateMetrics {
  return Object.fromEntries(Object.entries(metrics).map(([metric, value]) => [`${name}.${metric}`, value]));
}

/** Updates without a learner's sample report nothing, and must not pull a mean towards 0. */
function meanMetrics(reports: readonly UpdateMetrics[]): Record<string, number> {
  const names = [...new Set(reports.flatMap(Object.keys))];
  const valuesOf = (name: string): number[] => reports.flatMap((report) => report[name] ?? []);
  return Object.fromEntries(names.map((name) => [name, mean(valuesOf(name))]));
}
