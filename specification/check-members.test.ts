import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksOfRound } from '../learning/rollout/turns.ts';
import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import { problemsOf, resolved, resolveDocument, specDocument } from '../test/support/spec-document.ts';
import { checkMembers } from './check-members.ts';
import { roundSchedule } from './plan.ts';
import { DEFAULT_REGISTRIES } from './registries.ts';

const BLOCK_STEPS = 256 * 25;

interface Options {
  readonly size: number;
  readonly every_rounds: number;
}

interface Case extends Options {
  readonly rounds: number;
  readonly blocks: number;
  readonly count?: 'training' | 'all';
}

function documentOf({ size, every_rounds, rounds, blocks, count = 'training' }: Case): unknown {
  const strategy = { kind: 'population_based_training', size, every_rounds };
  const budget = { env_steps: blocks * BLOCK_STEPS, rounds, count };
  return { ...specDocument(), variants: { pbt: { strategy } }, budget };
}

const resolve = (each: Case) => resolveDocument(documentOf(each));
const EXAMPLE = resolved(documentOf({ size: 4, every_rounds: 1, rounds: 1, blocks: 4 })).variants['pbt']!;
const refusalOf = (each: Case) => problemsOf(documentOf(each));

/** Blocks that each member has played when the strategy first compares them, and at every comparison after that. */
function blocksBetweenComparisons(variant: ResolvedVariant, { size, every_rounds }: Options): number[][] {
  const members = Array.from({ length: size }, () => ({ share: 1 / size }));
  const played: number[][] = [members.map(() => 0)];
  let before = 0;
  roundSchedule(variant, DEFAULT_REGISTRIES).updatesOfRound.forEach((updates, round) => {
    if (round > 0 && round % every_rounds === 0) played.push(members.map(() => 0));
    blocksOfRound(members, updates, before).forEach((blocks, member) => (played.at(-1)![member]! += blocks));
    before += updates;
  });
  return played.length === 1 ? played : played.slice(0, -1);
}

describe('learners that share the update blocks of a run', () => {
  it('are refused where, and only where, some of them would be compared without having trained', () => {
    const counts = { accepted: 0, refused: 0 };
    const cases = fc.record({
      size: fc.integer({ min: 4, max: 12 }),
      every_rounds: fc.integer({ min: 1, max: 6 }),
      rounds: fc.integer({ min: 1, max: 8 }),
      blocks: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(cases, ({ blocks, rounds, ...options }) => {
        const budget = { ...EXAMPLE.budget, env_steps: blocks * BLOCK_STEPS, rounds };
        const variant = { ...EXAMPLE, strategy: { ...EXAMPLE.strategy, ...options }, budget };
        const isRefused = checkMembers(variant, DEFAULT_REGISTRIES).length > 0;
        const fewest = Math.min(...blocksBetweenComparisons(variant, options).flat());
        expect(fewest === 0).toBe(isRefused);
        counts[isRefused ? 'refused' : 'accepted'] += 1;
      }),
      { numRuns: 200 },
    );
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(5);
  });

  it('are told how many of them would never train, and the steps that would do', () => {
    const short = { size: 64, every_rounds: 2, rounds: 4, blocks: 20 };
    const [problem] = refusalOf(short);
    expect(problem!.found).toContain('64 members share 10 update blocks: 54 would never train');
    const least = Number(/env_steps to (\d+)/.exec(problem!.remedy)![1]);
    expect(least).toBe(128 * BLOCK_STEPS);
    expect(resolve({ ...short, blocks: least / BLOCK_STEPS }).ok).toBe(true);
    expect(resolve({ ...short, blocks: least / BLOCK_STEPS - 1 }).ok).toBe(false);
  });

  it('are told steps that would do also where the budget counts what decisions play', () => {
    const [problem] = refusalOf({ size: 8, every_rounds: 1, rounds: 2, blocks: 8, count: 'all' });
    expect(problem!.path).toBe('variants.pbt.strategy.size');
    const least = Number(/env_steps to (\d+)/.exec(problem!.remedy)![1]);
    const decisions = least - 16 * BLOCK_STEPS;
    expect(decisions).toBeGreaterThan(0);
    expect(resolve({ size: 8, every_rounds: 1, rounds: 2, blocks: least / BLOCK_STEPS, count: 'all' }).ok).toBe(true);
  });
});
