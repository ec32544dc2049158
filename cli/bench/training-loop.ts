import { createOnnxExecutor } from '../../infra/onnx/executor.ts';
import type { Learner } from '../../learning/algorithms/contract.ts';
import { evaluate } from '../../learning/evaluation.ts';
import type { TrainingStage } from '../../learning/rollout/played-round.ts';
import { mean, sampleStandardDeviation } from '../../learning/statistics/moments.ts';
import { NO_POLICIES } from '../../learning/rollout/partner-policies.ts';
import { ONE_LEARNER, PLAIN_EPISODES } from '../../learning/strategies/contract.ts';
import { trainRound } from '../../learning/training.ts';
import type { ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import { openWorld } from '../../specification/open-world.ts';
import { roundSchedule } from '../../specification/plan.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';

export interface BareRun {
  readonly envSteps: number;
  readonly wallS: number;
  /** Share of the training time by stage; they sum to 1. */
  readonly shares: Readonly<Record<string, number>>;
  /** Deterministic policy on the training simulator. */
  readonly returnMean: number;
  readonly returnStandardError: number;
}

/**
 * A frozen variant trained in this very process: no workflow, no database, no child. Only training is timed.
 * @param rounds how many of its rounds to train; all of them by default
 */
export async function trainBare(
  variant: ResolvedVariant,
  seed: number,
  rounds = variant.budget.rounds,
): Promise<BareRun> {
  const world = openWorld(variant, DEFAULT_REGISTRIES);
  const schedule = roundSchedule(variant, DEFAULT_REGISTRIES);
  const simulator = variant.simulators[String(variant.strategy['simulator'])]!;
  const learner = await DEFAULT_REGISTRIES.algorithms[variant.algorithm.name]!.createLearner({
    world,
    learners: variant.learners,
    parameters: variant.algorithm,
    executor: createOnnxExecutor(),
    updateCount: schedule.updateCount,
    seed,
    memberIndex: 0,
  });
  const watch = new StageWatch();
  const startedAt = performance.now();
  let envSteps = 0;
  for (let roundIndex = 0; roundIndex < rounds; roundIndex += 1) {
    const result = await trainRound({
      world,
      members: [{ ...ONE_LEARNER[0]!, learner }],
      learners: variant.learners,
      environmentCount: variant.algorithm.parallel_environments,
      stepCount: variant.algorithm.rollout_steps,
      pool: [{ name: 'trained', simulator, weight: 1, randomization: {}, learns: true }],
      episodeRule: PLAIN_EPISODES,
      scoresEpisodes: false,
      keepsSamples: false,
      seed,
      roundIndex,
      updateCount: schedule.updatesOfRound[roundIndex]!,
      updatesBefore: learner.updateIndex,
      loadPolicy: NO_POLICIES,
      samplers: [],
      onProgress: () => undefined,
      onStage: (stage) => watch.enter(stage),
    });
    envSteps += result.envSteps;
  }
  const wallS = (performance.now() - startedAt) / 1000;
  const shares = watch.shares();
  const outcome = await finalReturn(variant, learner);
  await learner.release();
  return { envSteps, wallS, shares, ...outcome };
}

async function finalReturn(
  variant: ResolvedVariant,
  learner: Learner,
): Promise<Pick<BareRun, 'returnMean' | 'returnStandardError'>> {
  const { evaluation, learners, simulators, strategy } = variant;
  const [played] = await evaluate(
    { kind: 'policy', learner, mode: evaluation.policy_mode },
    {
      world: openWorld(variant, DEFAULT_REGISTRIES),
      learners,
      simulators: [{ simulator: simulators[String(strategy['simulator'])]!, randomization: {} }],
      episodes: evaluation.final_episodes,
      loadPolicy: NO_POLICIES,
      seed: evaluation.seed,
      onProgress: () => undefined,
    },
  );
  const returns = played!.episodes.map((episode) => episode.return);
  return {
    returnMean: mean(returns),
    returnStandardError: sampleStandardDeviation(returns) / Math.sqrt(returns.length),
  };
}

/** Adds up the time between the marks of a training loop. */
class StageWatch {
  private readonly spentMs = new Map<TrainingStage, number>();
  private stage: TrainingStage = 'update';
  private since = performance.now();

  enter(stage: TrainingStage): void {
    const now = performance.now();
    this.spentMs.set(this.stage, (this.spentMs.get(this.stage) ?? 0) + now - this.since);
    this.stage = stage;
    this.since = now;
  }

  shares(): Record<string, number> {
    this.enter(this.stage);
    const total = [...this.spentMs.values()].reduce((sum, spent) => sum + spent, 0);
    return Object.fromEntries([...this.spentMs].map(([stage, spent]) => [stage, spent / total]));
  }
}
