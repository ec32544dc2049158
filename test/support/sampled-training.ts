import { createOnnxExecutor } from '../../infra/onnx/executor.ts';
import type { Learner } from '../../learning/algorithms/contract.ts';
import { crewOf, seatsOfMember, type TrainedMember } from '../../learning/rollout/crew.ts';
import type { RangeReport } from '../../learning/rollout/range-report.ts';
import { RangeSampler, type SampledBlock } from '../../learning/rollout/sampler.ts';
import { trainRound, type TrainingResult, type TrainingRound } from '../../learning/training.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';

/** A round as a test writes it: its members without their networks. */
export type WrittenRound = Omit<TrainingRound, 'members' | 'samplers'> & {
  readonly members: readonly Omit<TrainedMember, 'learner'>[];
};

/** An algorithm by its name, and of its settings those that are not its defaults. */
export interface WrittenAlgorithm {
  readonly name: string;
  readonly [setting: string]: unknown;
}

const IPPO: WrittenAlgorithm = { name: 'ippo', minibatch_size: 256 };
const HIDDEN_SIZES = [16, 16];

/** One for each member, computed as in production. */
async function withLearners(
  { world, learners, seed, members, updateCount }: WrittenRound,
  written: WrittenAlgorithm,
): Promise<TrainedMember[]> {
  const algorithm = DEFAULT_REGISTRIES.algorithms[written.name]!;
  const parameters = algorithm
    .parametersSchema(world)
    .parse({ hidden_sizes: HIDDEN_SIZES, rollout_steps: world.episodeStepsMax, ...written });
  return Promise.all(
    members.map(async (member, memberIndex) => {
      const seats = seatsOfMember(member, world, learners);
      const setup = { world, learners: seats, parameters, executor: createOnnxExecutor(), updateCount, seed };
      return { ...member, learner: await algorithm.createLearner({ ...setup, memberIndex }) };
    }),
  );
}

/** A sampler that never learns what the others learnt. */
class DeafSampler extends RangeSampler {
  private first: Pick<SampledBlock, 'member' | 'partner'> | null = null;

  override collect(block: SampledBlock): Promise<RangeReport> {
    this.first ??= { member: block.member, partner: block.partner };
    return super.collect({ ...block, ...this.first });
  }
}

interface SampledOptions {
  /** Whether further samplers stay at the weights of the first block. */
  readonly keepsWeights?: boolean;
  readonly algorithm?: WrittenAlgorithm;
}

/** Trains a round with so many samplers, the further ones of which have networks of their own. */
export async function trainWithSamplers(
  written: WrittenRound,
  samplerCount: number,
  { keepsWeights = false, algorithm = IPPO }: SampledOptions = {},
): Promise<{ result: TrainingResult; checkpoints: Uint8Array[] }> {
  const members = await withLearners(written, algorithm);
  const others = await Promise.all(Array.from({ length: samplerCount - 1 }, () => withLearners(written, algorithm)));
  const Sampler = keepsWeights ? DeafSampler : RangeSampler;
  const samplers = others.map((own) => new Sampler(written, crewOf(own, written)));
  const result = await trainRound({ ...written, members, samplers });
  const learners: Learner[] = [members, ...others].flat().map(({ learner }) => learner);
  const checkpoints = members.map(({ learner }) => learner.save());
  await Promise.all(learners.map((learner) => learner.release()));
  return { result, checkpoints };
}
