import { describe, expect, it } from 'vitest';
import type { PolicyDescription } from '../algorithms/contract.ts';
import type { World } from '../../simulators/contract.ts';
import { FAMILIES } from '../../simulators/registry.ts';
import { randomExperience } from '../../test/support/random-experience.ts';
import { STEP_CONTINUES, STEP_TERMINATED, STEP_TRUNCATED } from '../rollout/rollout-buffer.ts';
import { packTransitions } from './pack-transitions.ts';
import { type Column, transitionLayout } from './transition-layout.ts';

const spread = FAMILIES['simple_spread']!.open({ agents: 3 });
const foraging = FAMILIES['foraging']!.open({});
const GAMMA = 0.9;

function policiesOf(world: World): PolicyDescription[] {
  return world.groups.map(({ observationSize, actions, masked }, group) => ({
    group,
    inputSize: observationSize,
    identitySize: 0,
    actions,
    isMasked: masked === true,
    memorySize: 0,
  }));
}

function packed(world: World, { steps = 1, absent = [] as number[] } = {}) {
  const policies = policiesOf(world);
  const learners = Array.from({ length: world.seatCount }, (_, seat) => seat);
  const layout = transitionLayout(world, policies, { learners, joint: true });
  const block = randomExperience({ world, policies, stepCount: 7, environmentCount: 4, seed: 3, absent });
  const transitions = packTransitions(block, layout, { steps, gamma: GAMMA });
  const at = (index: number, { offset, length }: Column): number[] =>
    Array.from(transitions.subarray(index * layout.width + offset, index * layout.width + offset + length));
  return { layout, block, at, count: transitions.length / layout.width };
}

describe('transitions', () => {
  it.each([1, 3, 50])('span %i steps, or fewer where the episode or the block ends, as a slow loop says', (steps) => {
    const { layout, block, at, count } = packed(spread, { steps });
    const [columns, rollout] = [layout.groups[0]!, block.rollouts[0]!];
    const seen = new Set<number>();
    expect(count).toBe(28);
    for (let index = 0; index < count; index += 1) {
      const [step, environment] = [Math.floor(index / 4), index % 4];
      const rowOf = (later: number, seat: number) => (step + later) * 12 + environment * 3 + seat;
      let length = 0;
      let end: number = STEP_CONTINUES;
      const sums = [0, 0, 0];
      while (length < steps && step + length < 7 && end === STEP_CONTINUES) {
        for (let seat = 0; seat < 3; seat += 1) sums[seat]! += GAMMA ** length * rollout.rewards[rowOf(length, seat)]!;
        end = rollout.ends[rowOf(length, 0)]!;
        length += 1;
      }
      seen.add(end);
      at(index, columns.rewards).forEach((reward, seat) => expect(reward).toBeCloseTo(sums[seat]!, 5));
      expect(at(index, layout.discount)[0]).toBeCloseTo(end === STEP_TERMINATED ? 0 : GAMMA ** length, 6);
      const next = rollout.next!.inputs.subarray(
        rowOf(length - 1, 0) * rollout.inputSize,
        rowOf(length - 1, 3) * rollout.inputSize,
      );
      expect(at(index, columns.nextInputs)).toEqual(
        end === STEP_TERMINATED ? Array.from(next, () => 0) : Array.from(next),
      );
    }
    for (const end of [STEP_TRUNCATED, STEP_TERMINATED, STEP_CONTINUES]) expect(seen).toContain(end);
  });

  it('hold what all seats saw, did and might have done', () => {
    const { layout, block, at, count } = packed(foraging);
    const [columns, rollout] = [layout.groups[0]!, block.rollouts[0]!];
    const seatCount = columns.seats.length;
    const entries = (array: ArrayLike<number>, index: number, size: number) =>
      Array.from({ length: size }, (_, each) => array[index * size + each]!);
    for (let index = 0; index < count; index += 1) {
      expect(at(index, columns.inputs)).toEqual(entries(rollout.inputs, index, seatCount * rollout.inputSize));
      expect(at(index, columns.actions)).toEqual(entries(rollout.actions, index, seatCount));
      expect(at(index, columns.masks!)).toEqual(entries(rollout.masks!, index, columns.masks!.length));
      expect(at(index, columns.learning)).toEqual(Array.from({ length: seatCount }, () => 1));
      expect(at(index, layout.joint!)).toEqual(entries(rollout.joint!, index, layout.joint!.length));
    }
  });

  it('say nothing of a seat that does not learn but that everything is legal, and are left out where none does', () => {
    const { layout, at, count } = packed(foraging, { absent: [1] });
    const columns = layout.groups[0]!;
    expect(count).toBe(28);
    for (const column of [columns.inputs, columns.actions, columns.rewards, columns.learning, columns.nextInputs]) {
      const half = column.length / 2;
      expect(at(5, column).slice(half)).toEqual(Array.from({ length: half }, () => 0));
    }
    for (const masks of [columns.masks!, columns.nextMasks!]) {
      expect(at(5, masks).slice(masks.length / 2)).toEqual(Array.from({ length: masks.length / 2 }, () => 1));
    }
    expect(at(5, columns.learning)[0]).toBe(1);
    expect(packed(foraging, { absent: [0, 1] }).count).toBe(0);
  });
});
