import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../simulators/registry.ts';
import { crossPlayPairs, policiesFor, type FinishedRun } from './cross-play-pairs.ts';

const run = (variant: string, seed: number): FinishedRun => ({ variant, seed, policies: {}, partners: {} });

function pairsOf(runs: readonly FinishedRun[]): string[] {
  return crossPlayPairs(runs).map(({ row, column }) => `${row.variant}${row.seed} ${column.variant}${column.seed}`);
}

describe('the pairs that play', () => {
  it('are all variants under every seed that both have, and every run with the next seed of its own variant', () => {
    const runs = [run('a', 0), run('a', 1), run('a', 4), run('b', 0), run('b', 4)];
    expect(pairsOf(runs).toSorted()).toEqual(
      [
        ...['a0 a0', 'a0 b0', 'b0 a0', 'b0 b0'],
        'a1 a1',
        ...['a4 a4', 'a4 b4', 'b4 a4', 'b4 b4'],
        ...['a0 a1', 'a1 a4', 'a4 a0'],
        ...['b0 b4', 'b4 b0'],
      ].toSorted(),
    );
  });

  it('have no stranger where a variant has one seed, and none twice', () => {
    expect(pairsOf([run('a', 3)])).toEqual(['a3 a3']);
    const many = [0, 1, 2].flatMap((seed) => [run('a', seed), run('b', seed)]);
    expect(new Set(pairsOf(many)).size).toBe(pairsOf(many).length);
    // 2 × 2 pairs and 2 strangers under each of 3 seeds.
    expect(pairsOf(many)).toHaveLength(3 * (2 * 2 + 2));
  });
});

describe('the policies of a run for some seats', () => {
  const family = FAMILIES['simple_tag']!;
  const { groups } = family.open(family.optionsSchema.parse({}));
  const [hunters, prey] = groups.map(({ seats }) => seats) as [readonly number[], readonly number[]];
  const policies = { '0': 'hunter', '1': 'untrained prey' };

  it('are those of the learners where somebody learns the role', () => {
    const learners = [hunters[0]!];
    const held = { policies, partners: { '0': 'another hunter' } };
    expect(policiesFor(held, hunters.slice(1), { groups, learners })).toEqual({ policies: { '0': 'hunter' } });
  });

  it('are partners that were trained along where nobody learns it: the network of its group never learnt', () => {
    const held = { policies, partners: { '1': 'trained prey' } };
    expect(policiesFor(held, prey, { groups, learners: hunters })).toEqual({ policies: { '1': 'trained prey' } });
    expect(policiesFor({ policies, partners: {} }, prey, { groups, learners: hunters })).toEqual({
      missingRole: groups[1]!.role,
    });
  });

  it('are one for each role that holds such a seat', () => {
    const learners = [...hunters, ...prey];
    expect(policiesFor({ policies, partners: {} }, learners, { groups, learners })).toEqual({ policies });
  });
});
