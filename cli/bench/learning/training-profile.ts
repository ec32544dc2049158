import { requestedRound } from '../../../activities/requested-round.ts';
import { trainRequest } from '../../../activities/train-request.ts';
import { createOnnxExecutor } from '../../../infra/onnx/executor.ts';
import { graphFromOutputs } from '../../../learning/graph/graph.ts';
import { input, matmul } from '../../../learning/graph/operators.ts';
import { NO_POLICIES } from '../../../learning/rollout/partner-policies.ts';
import type { TrainingStage } from '../../../learning/rollout/played-round.ts';
import { trainRound } from '../../../learning/training.ts';
import type { ResolvedVariant } from '../../../schemas/resolved-experiment.ts';
import { variantHash } from '../../../specification/identity.ts';
import { openWorld } from '../../../specification/open-world.ts';
import { roundSchedule } from '../../../specification/plan.ts';
import { DEFAULT_REGISTRIES } from '../../../specification/registries.ts';
import { decidedPool } from '../decided-pool.ts';
import { CountingExecutor, type GraphWork } from './counting-executor.ts';

const PRODUCT_SIZE = 1024;
const PRODUCT_REPETITIONS = 10;

/** Where the time of training goes, on one core. */
export interface TrainingProfile {
  /** Share of the time by stage; they sum to 1. */
  readonly shares: Readonly<Record<string, number>>;
  /** Share of the update that is spent in its graph, and not in JavaScript. */
  readonly graphShareOfUpdate: number;
  /** Of matrix products of the update's graph, over all the time in it: 2 operations a multiplication and addition. */
  readonly updateGflopPerS: number;
}

/** Trains some rounds in this very process: no workflow, no database, no child. */
export async function profileTraining(
  variant: ResolvedVariant,
  { seed, rounds }: { seed: number; rounds: number },
): Promise<TrainingProfile> {
  const world = openWorld(variant, DEFAULT_REGISTRIES);
  const pool = decidedPool(variant, world, seed);
  const executor = new CountingExecutor(createOnnxExecutor());
  const learner = await DEFAULT_REGISTRIES.algorithms[variant.algorithm.name]!.createLearner({
    world,
    learners: variant.learners,
    parameters: variant.algorithm,
    executor,
    updateCount: roundSchedule(variant, DEFAULT_REGISTRIES).updateCount,
    seed,
    memberIndex: 0,
  });
  const watch = new StageWatch(executor);
  const run = { variantHash: variantHash(variant), resolved: variant, seed };
  const strategy = DEFAULT_REGISTRIES.strategies[variant.strategy.kind]!;
  for (let round = 0; round < rounds; round += 1) {
    const settings = { samplerProcesses: 1 };
    const request = trainRequest(run, { round, pool, checkpointHash: null, strategy, settings });
    await trainRound({
      ...requestedRound(request, DEFAULT_REGISTRIES),
      members: [{ ...pool.members[0]!, learner }],
      samplers: [],
      loadPolicy: NO_POLICIES,
      onProgress: () => undefined,
      onStage: (stage) => watch.enter(stage),
    });
  }
  await learner.release();
  return watch.profile();
}

/** Speed of a large matrix product in the same executor, on one core. */
export async function productGflopPerS(): Promise<number> {
  const executor = new CountingExecutor(createOnnxExecutor());
  const shape = [PRODUCT_SIZE, PRODUCT_SIZE];
  const graph = graphFromOutputs({ product: matmul(input('left', shape), input('right', shape)) });
  const compiled = await executor.compile(graph);
  const [left, right, product] = [0.5, 0.25, 0].map((value) => new Float32Array(PRODUCT_SIZE ** 2).fill(value));
  await compiled.run({ left: left!, right: right! }, { product: product! });
  executor.take();
  for (let repetition = 0; repetition < PRODUCT_REPETITIONS; repetition += 1)
    await compiled.run({ left: left!, right: right! }, { product: product! });
  await compiled.release();
  return gflopPerS(executor.take());
}

const gflopPerS = ({ multiplyAdds, s }: GraphWork): number => (2 * multiplyAdds) / s / 1e9;

/** Adds up the time, and the work of graphs, between the marks of a training loop. */
class StageWatch {
  private readonly executor: CountingExecutor;
  private readonly spentS = new Map<TrainingStage, number>();
  private updateWork: GraphWork = { multiplyAdds: 0, s: 0 };
  private stage: TrainingStage | null = null;
  private since = 0;

  constructor(executor: CountingExecutor) {
    this.executor = executor;
  }

  enter(stage: TrainingStage | null): void {
    const now = performance.now();
    const { multiplyAdds, s } = this.executor.take();
    if (this.stage !== null) {
      this.spentS.set(this.stage, (this.spentS.get(this.stage) ?? 0) + (now - this.since) / 1000);
    }
    if (this.stage === 'update') {
      this.updateWork = { multiplyAdds: this.updateWork.multiplyAdds + multiplyAdds, s: this.updateWork.s + s };
    }
    this.stage = stage;
    this.since = now;
  }

  profile(): TrainingProfile {
    this.enter(null);
    const total = [...this.spentS.values()].reduce((sum, spent) => sum + spent, 0);
    return {
      shares: Object.fromEntries([...this.spentS].map(([stage, spent]) => [stage, spent / total])),
      graphShareOfUpdate: this.updateWork.s / this.spentS.get('update')!,
      updateGflopPerS: gflopPerS(this.updateWork),
    };
  }
}
