import { describe, expect, it } from 'vitest';
import { keyFrom, RandomStream } from '../simulators/random.ts';
import { fillAdvantages } from './advantages.ts';
import { plainRollout } from '../test/support/plain-rollout.ts';
import { STEP_CONTINUES, STEP_TERMINATED, STEP_TRUNCATED, type Rollout } from './rollout/rollout-buffer.ts';

function randomRollout(seed: number): Rollout {
  const random = new RandomStream(keyFrom(seed));
  const rollout = plainRollout({ stepCount: 7, environmentCount: 3 });
  for (let index = 0; index < rollout.rewards.length; index += 1) {
    rollout.rewards[index] = random.nextNormal();
    rollout.values[index] = random.nextNormal();
    rollout.nextValues[index] = random.nextNormal();
    rollout.ends[index] = [STEP_CONTINUES, STEP_CONTINUES, STEP_TRUNCATED, STEP_TERMINATED][random.nextInteger(4)]!;
  }
  return rollout;
}

/** The definition as a sum: A_t = Σ_k (γλ)^k δ_{t+k} up to the first end. */
function advantageBySum(rollout: Rollout, step: number, row: number, gamma: number, lambda: number): number {
  let sum = 0;
  for (let k = 0; step + k < rollout.stepCount; k += 1) {
    const index = (step + k) * rollout.rowCount + row;
    const following = rollout.ends[index] === STEP_TERMINATED ? 0 : rollout.nextValues[index]!;
    sum += (gamma * lambda) ** k * (rollout.rewards[index]! + gamma * following - rollout.values[index]!);
    if (rollout.ends[index] !== STEP_CONTINUES) break;
  }
  return sum;
}

describe('generalised advantage estimation', () => {
  it('equals the sum of discounted temporal differences up to the first end', () => {
    const rollout = randomRollout(1);
    const advantages = new Float32Array(rollout.rewards.length);
    fillAdvantages(rollout, { gamma: 0.95, lambda: 0.9 }, advantages);
    for (let step = 0; step < rollout.stepCount; step += 1) {
      for (let row = 0; row < rollout.rowCount; row += 1) {
        const expected = advantageBySum(rollout, step, row, 0.95, 0.9);
        expect(advantages[step * rollout.rowCount + row]).toBeCloseTo(expected, 5);
      }
    }
  });

  it('with λ = 1 is the discounted return minus the value', () => {
    const rollout = plainRollout({ stepCount: 3, environmentCount: 1 });
    rollout.rewards.set([1, 2, 4]);
    rollout.values.set([0.5, 0.25, 0.125]);
    rollout.nextValues.set([0.25, 0.125, 9]);
    rollout.ends[2] = STEP_TERMINATED;
    const advantages = new Float32Array(3);
    fillAdvantages(rollout, { gamma: 0.5, lambda: 1 }, advantages);
    expect(advantages[0]).toBeCloseTo(1 + 0.5 * 2 + 0.25 * 4 - 0.5, 6);
  });

  it('bootstraps through a truncation and not through a termination', () => {
    const rollout = plainRollout({ stepCount: 1, environmentCount: 2 });
    rollout.nextValues.fill(10);
    rollout.ends.set([STEP_TRUNCATED, STEP_TERMINATED]);
    const advantages = new Float32Array(2);
    fillAdvantages(rollout, { gamma: 0.5, lambda: 0.9 }, advantages);
    expect([...advantages]).toEqual([5, 0]);
  });
});
