import type { World } from '../simulators/contract.ts';
import { keyFrom, PURPOSE } from '../simulators/random.ts';
import type { Learner, UpdateMetrics } from './algorithms/contract.ts';
import { Collector, type TrainingStage } from './collector.ts';
import { drivenSeatsOf, presentLearners } from './driven-seats.ts';
import { EpisodeSource, type WeightedSimulator } from './episode-source.ts';
import type { EpisodeSummary } from './episode-tally.ts';
import { mean } from './moments.ts';
import { PartnerPolicies, type PolicyLoader } from './partner-policies.ts';

/** One simulator of the pool that a round trains on. */
export interface TrainingSimulator extends WeightedSimulator {
  /** Whether the learners learn from its episodes; otherwise they are only scored. */
  readonly learns: boolean;
}

export interface TrainingRound {
  readonly world: World;
  readonly learner: Learner;
  readonly learners: readonly number[];
  readonly environmentCount: number;
  readonly stepCount: number;
  readonly pool: readonly TrainingSimulator[];
  /** Fetches policies that hold seats of the pool's simulators. */
  readonly loadPolicy: PolicyLoader;
  readonly seed: number;
  /** Rounds completed before this one. */
  readonly roundIndex: number;
  /** Update blocks of this round. */
  readonly updateCount: number;
  /** Called after every update block; awaited, so that a process can answer its parent in between. */
  readonly onProgress: (updatesDone: number) => void | Promise<void>;
  readonly onStage: (stage: TrainingStage) => void;
}

export interface TrainingResult {
  readonly envSteps: number;
  /** In the order of the pool. */
  readonly episodes: readonly EpisodeSummary[];
  /** In the order of the pool: what the learners visited in the last update block, a histogram for each state feature. */
  readonly visitation: readonly (readonly number[][])[];
  /** Mean over the round's update blocks that reported it, by name. */
  readonly metrics: Readonly<Record<string, number>>;
}

/**
 * Trains for one round. Environments are reset at its start and what is unfinished at its end is not reported, so a
 * round depends on nothing but the learner's state and the round's index.
 */
export async function trainRound(round: TrainingRound): Promise<TrainingResult> {
  const { world, pool, learner, updateCount } = round;
  const simulators = pool.map(({ simulator }) => simulator);
  const partnerPolicies = await PartnerPolicies.create(world, simulators, {
    environmentCount: round.environmentCount,
    load: round.loadPolicy,
  });
  const collector = await Collector.create({
    world,
    learner,
    environmentCount: round.environmentCount,
    stepCount: round.stepCount,
    drivenSeats: drivenSeatsOf(world, simulators),
    partnerPolicies,
    source: new EpisodeSource(world, pool),
    presentLearners: simulators.map((simulator) => presentLearners(round.learners, simulator)),
    roundKey: keyFrom(round.seed, PURPOSE.episode, round.roundIndex),
    onStage: round.onStage,
  });
  const reports: UpdateMetrics[] = [];
  for (let update = 0; update < updateCount; update += 1) {
    await collector.collect({ countsVisits: update === updateCount - 1 });
    round.onStage('update');
    reports.push(await learner.update(collector.rollouts));
    await round.onProgress(update + 1);
  }
  await partnerPolicies.release();
  return {
    envSteps: updateCount * round.environmentCount * round.stepCount,
    episodes: pool.map((_, index) => collector.tally.summary(index)),
    visitation: pool.map((_, index) => collector.visitation(index)),
    metrics: meanMetrics(reports),
  };
}

/** Updates without a learner's sample report nothing, and must not pull a mean towards 0. */
function meanMetrics(reports: readonly UpdateMetrics[]): Record<string, number> {
  const names = [...new Set(reports.flatMap(Object.keys))];
  const valuesOf = (name: string): number[] => reports.flatMap((report) => report[name] ?? []);
  return Object.fromEntries(names.map((name) => [name, mean(valuesOf(name))]));
}
