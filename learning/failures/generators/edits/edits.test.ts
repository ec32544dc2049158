import { describe, expect, it } from 'vitest';
import { keyFrom, RandomStream } from '../../../../simulators/random.ts';
import { contextOf, FAILING_SITUATIONS, madeUpMined } from '../../../../test/support/made-up-mined.ts';
import { failureName, type Mined } from '../../contract.ts';
import { createEdits } from './edits.ts';
import { parentsOf } from './parents.ts';
import { EDIT_KINDS } from './registry.ts';

const situation = FAILING_SITUATIONS.spread;
const context = contextOf(situation);
const mined = madeUpMined(situation);
const GROUPS = new Set(mined.failures.map(({ group }) => group)).size;
const ROUND = 5;
const groupOf = (failure: string) => mined.failures.find((_, index) => failureName(ROUND, index) === failure)!.group;

function proposed(kinds: typeof EDIT_KINDS, count: number, seed = 1, from: Mined = mined) {
  const generator = createEdits(kinds);
  const random = new RandomStream(keyFrom(seed));
  return generator.propose(generator.keep(from, ROUND, context, random), count, context, random);
}

describe('what is kept of failures', () => {
  it('begins with the medoids, and goes on group by group', () => {
    const parents = parentsOf(mined, ROUND, context.parameters);
    expect(parents).toHaveLength(mined.failures.length);
    const medoids = mined.failures.flatMap(({ isMedoid }, index) => (isMedoid ? [failureName(ROUND, index)] : []));
    expect(new Set(parents.slice(0, GROUPS).map(({ failure }) => failure))).toEqual(new Set(medoids));
    for (let turn = 0; turn < parents.length / GROUPS; turn += 1) {
      const groups = parents.slice(turn * GROUPS, (turn + 1) * GROUPS).map(({ group }) => group);
      expect(new Set(groups).size).toBe(groups.length);
    }
  });

  it('has a limit, within which the small groups are not crowded out', () => {
    const [first] = mined.failures;
    const many = Array.from({ length: 100 }, (_, index) => ({
      ...first!,
      group: index < 98 ? 0 : index - 97,
      isMedoid: false,
    }));
    const parents = parentsOf({ ...mined, failures: many }, ROUND, context.parameters);
    expect(parents.length).toBeLessThan(many.length);
    expect(new Set(parents.map(({ group }) => group))).toEqual(new Set([0, 1, 2]));
  });

  it('counts what scripted partners did within two steps of the key moment, in the episode', () => {
    const [failure] = mined.failures;
    for (const keyMoment of [0, 10, failure!.actions.length - 1]) {
      const [parent] = parentsOf({ ...mined, failures: [{ ...failure!, keyMoment }] }, ROUND, context.parameters);
      const counts = [0, 0, 0, 0, 0];
      for (const [step, joint] of failure!.actions.entries()) {
        if (Math.abs(step - keyMoment) <= 2) counts[joint[1]!]! += 1;
      }
      expect(parent!.actionCounts).toEqual({ 1: counts });
    }
  });
});

describe('proposals of edits', () => {
  it('are as many as asked for where there is enough to edit', () => {
    expect(proposed(EDIT_KINDS, 16)).toHaveLength(16);
  });

  it('take every group and every kind in turn', () => {
    for (const seed of [1, 2, 3]) {
      const one = proposed(EDIT_KINDS, GROUPS * EDIT_KINDS.length, seed);
      const pairs = one.map(({ failure, origin }) => `${groupOf(failure)} ${origin.split(' ')[0]}`);
      expect(new Set(pairs).size).toBe(GROUPS * EDIT_KINDS.length);
      expect(new Set(one.slice(0, GROUPS).map(({ failure }) => groupOf(failure))).size).toBe(GROUPS);
    }
  });

  it('do not always begin with the same group and kind', () => {
    const firsts = Array.from({ length: 20 }, (_, seed) => proposed(EDIT_KINDS, 1, seed)[0]!);
    expect(new Set(firsts.map(({ failure }) => groupOf(failure))).size).toBe(GROUPS);
    expect(new Set(firsts.map(({ origin }) => origin.split(' ')[0])).size).toBe(EDIT_KINDS.length);
  });

  it('are of the kinds that are on', () => {
    expect(proposed([], 8)).toEqual([]);
    const starts = proposed(['start'], 8);
    expect(starts).toHaveLength(8);
    expect(starts.every(({ origin }) => origin.startsWith('starts near the failing start'))).toBe(true);
  });

  it('are fewer where edits repeat each other, and none where there is nothing to edit', () => {
    const generator = createEdits(['rules']);
    const random = new RandomStream(keyFrom(1));
    const onlyWhole = { ...context, randomization: { 'perturbations.action_delay': [0, 1] } } as const;
    const children = generator.propose(generator.keep(mined, ROUND, context, random), 100, onlyWhole, random);
    const different = new Set(mined.failures.map(({ name }) => name)).size;
    expect(children).toHaveLength(different);
    const fixed = { ...context, randomization: {} };
    expect(generator.propose(generator.keep(mined, ROUND, context, random), 100, fixed, random)).toEqual([]);
  });
});
