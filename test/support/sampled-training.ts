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

const HIDDEN_SIZES = [16, 16];
const ippo = DEFAULT_REGISTRIES.algorithms['ippo']!;

/** Independent PPO for each member, computed as in production. */
async function withLearners({ world, learners, seed, members, updateCount }: WrittenRound): Promise<TrainedMember[]> {
  const parameters = ippo
    .parametersSchema(world)
    .parse({ name: 'ippo', hidden_sizes: HIDDEN_SIZES, minibatch_size: 256, rollout_steps: world.episodeStepsMax });
  return Promise.all(
    members.map(async (member, memberIndex) => {
      const seats = seatsOfMember(member, world, learners);
      const setup = { world, learners: seats, parameters, executor: createOnnxExecutor(), updateCount, seed };
      return { ...member, learner: await ippo.createLearner({ ...setup, memberIndex }) };
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

/**
 * Trains a round with so many samplers, the further ones of which have networks of their own.
 * @param options.keepsWeights whether these stay at the weights of the first block
 */
export async function trainWithSamplers(
  written: WrittenRound,
  samplerCount: number,
  { keepsWeights }: { keepsWeights: boolean } = { keepsWeights: false },
): Promise<{ result: TrainingResult; checkpoints: Uint8Array[] }> {
  const members = await withLearners(written);
  const others = await Promise.all(Array.from({ length: samplerCount - 1 }, () => withLearners(written)));
  const Sampler = keepsWeights ? DeafSampler : RangeSampler;
  const samplers = others.map((own) => new Sampler(written, crewOf(own, written)));
  const result = await trainRound({ ...written, members, samplers });
  const learners: Learner[] = [members, ...others].flat().map(({ learner }) => learner);
  const checkpoints = members.map(({ learner }) => learner.save());
  await Promise.all(learners.map((learner) => learner.release()));
  return { result, checkpoints };
}
