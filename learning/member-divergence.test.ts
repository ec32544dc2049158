import { describe, expect, it } from 'vitest';
import { RecordingLearner } from '../test/support/recording-learner.ts';
import { openSpread, trainingRound } from '../test/support/small-learning.ts';
import type { Divergence } from './algorithms/contract.ts';
import { divergenceAmong, divergenceText } from './member-divergence.ts';
import { trainRound } from './training.ts';

const world = openSpread({ agents: 2, episode_steps: 5 });
const found: Divergence = { optimizerStep: 12, what: 'policy_loss', lastFinite: { policy_loss: 0.123456, entropy: 1 } };

/** Acts and records, and diverges in an update of its own. */
class DivergingLearner extends RecordingLearner {
  override divergence: Divergence | null = null;
  private readonly divergesInUpdate: number;

  constructor(divergesInUpdate: number) {
    super(world);
    this.divergesInUpdate = divergesInUpdate;
  }

  override async update(...given: Parameters<RecordingLearner['update']>) {
    const metrics = await super.update(...given);
    if (this.updateIndex === this.divergesInUpdate) this.divergence = found;
    return metrics;
  }
}

const member = (name: string, learner: RecordingLearner, seats: 'learners' | 'partners' = 'learners') =>
  ({ name, seats, share: 0.5, reward: 'own', learner }) as const;

describe('a round of training', () => {
  it('ends with the update in which its policy diverges, and says so', async () => {
    const learner = new DivergingLearner(2);
    const progress: number[] = [];
    const { divergence, envSteps } = await trainRound(
      trainingRound(world, learner, { updateCount: 5, onProgress: (updates) => void progress.push(updates) }),
    );
    expect(divergence).toEqual({ member: 'learner', ...found });
    expect(learner.updateIndex).toBe(2);
    expect(progress).toEqual([1, 2]);
    expect(envSteps).toBe(2 * 8 * 5);
  });

  it('goes on when another member of a population diverges', async () => {
    const [first, second] = [new RecordingLearner(world), new DivergingLearner(1)];
    const members = [member('m0', first), member('m1', second)];
    const { divergence } = await trainRound(trainingRound(world, first, { members, updateCount: 4 }));
    expect(divergence).toBeNull();
    expect([first.updateIndex, second.updateIndex]).toEqual([2, 2]);
  });
});

it('a trained partner is needed as the policy is', () => {
  const partner = new DivergingLearner(0);
  partner.divergence = found;
  const members = [member('learner', new RecordingLearner(world)), member('partner', partner, 'partners')];
  expect(divergenceAmong(members)).toEqual({ member: 'partner', ...found });
});

it('a divergence is told with its step, counted from 1, and the numbers before it', () => {
  expect(divergenceText({ member: 'learner', ...found })).toBe(
    'policy_loss of learner was not finite in optimizer step 13 of the run; last finite: policy_loss 0.1235, entropy 1',
  );
  expect(divergenceText({ member: 'learner', ...found, lastFinite: {} })).toMatch(/nothing had been measured before$/);
});
