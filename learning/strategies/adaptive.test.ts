import { describe, expect, it } from 'vitest';
import { decideThroughRun } from '../../test/support/strategy-history.ts';
import { evidenceAtStart, SITUATIONS } from '../../test/support/strategy-situation.ts';
import { adaptive } from './adaptive.ts';
import type { PoolEntry, Strategy } from './contract.ts';
import { type BufferEntry, scored } from './replay-buffer.ts';
import { replayDistribution } from './replay-distribution.ts';

const { train } = SITUATIONS.spread;
const strategy: Strategy = adaptive;
const OPTIONS = { size: 6, added: 3, edits: 2, replay: 0.75, temperature: 0.5, staleness: 0.2 };

function run(changes: object = {}) {
  const written = { ...OPTIONS, ...changes };
  const start = evidenceAtStart(strategy, SITUATIONS.spread, written);
  return decideThroughRun(strategy, { start, situation: SITUATIONS.spread, seed: 1 }).map((step) => {
    const entries = step.decision.state['entries'] as BufferEntry[];
    const candidates = step.proposal.candidates.map(({ name }) => name);
    const isNew = ({ name }: PoolEntry) => candidates.includes(name);
    const { pool } = step.decision;
    return {
      ...step,
      entries,
      fresh: pool.filter(isNew),
      replayed: pool.filter((entry) => !isNew(entry)),
      isReplaying: entries.length >= written.size / 2,
    };
  });
}

const sum = (entries: readonly PoolEntry[]) => entries.reduce((total, { weight }) => total + weight, 0);
const steps = run();

describe('adaptive', () => {
  it('starts with the train panel, and draws on its members in turn after that', () => {
    const introduced = run({ edits: 0 }).flatMap(({ proposal }) => proposal.candidates);
    const inOrder = [...new Map(introduced.map((candidate) => [candidate.name, candidate])).values()];
    expect(inOrder.slice(0, train.length)).toMatchObject(train.map(({ name, simulator }) => ({ name, simulator })));
    expect(inOrder.length).toBeGreaterThan(2 * train.length);
    expect(inOrder.slice(train.length).map(({ parents }) => parents[0])).toEqual(
      inOrder.slice(train.length).map((_, index) => train[index % train.length]!.name),
    );
  });

  it('replays nothing and learns from new simulators until the buffer is half full', () => {
    const before = steps.filter(({ isReplaying }) => !isReplaying);
    expect(before.length).toBeGreaterThan(0);
    for (const { replayed, fresh, decision } of before) {
      expect(replayed).toEqual([]);
      expect(fresh).toEqual(decision.pool);
      expect(fresh.every(({ learns }) => learns)).toBe(true);
    }
  });

  it('then gives the buffer its share by the replay distribution, and new simulators the rest equally', () => {
    const after = steps.filter(({ isReplaying }) => isReplaying);
    expect(after.length).toBeGreaterThan(1);
    for (const { entries, replayed, fresh } of after) {
      const shares = replayDistribution(scored(entries, 'positive_value_loss'), OPTIONS);
      expect(replayed.map(({ name, weight }) => [name, weight])).toEqual(
        entries.map(({ name }, index) => [name, OPTIONS.replay * shares[index]!]),
      );
      expect(sum(fresh)).toBeCloseTo(1 - OPTIONS.replay, 12);
      expect(new Set(fresh.map(({ weight }) => weight)).size).toBe(1);
    }
  });

  it('learns from replays alone when robust, and from new simulators too when not', () => {
    for (const robust of [true, false]) {
      const after = run({ robust }).filter(({ isReplaying }) => isReplaying);
      for (const { replayed, fresh } of after) {
        expect(replayed.every(({ learns }) => learns)).toBe(true);
        expect(fresh.map(({ learns }) => learns)).toEqual(fresh.map(() => !robust));
      }
    }
  });

  it('edits entries of the buffer only, at most as many as it was told, once there are replays', () => {
    const childCounts = steps.map(({ evidence, proposal, entries, isReplaying }) => {
      const made = `in round ${evidence.roundIndex}`;
      const children = proposal.candidates.filter(({ origin }) => origin.startsWith('edited') && origin.endsWith(made));
      for (const { parents } of children) expect(entries.map(({ name }) => name)).toContain(parents[0]);
      expect(children.length).toBeLessThanOrEqual(isReplaying ? OPTIONS.edits : 0);
      return children.length;
    });
    expect(Math.max(...childCounts)).toBe(OPTIONS.edits);
  });

  it('plays a new simulator again that was not played enough to judge, and no longer once it was', () => {
    const unplayed = steps.slice(1).flatMap(({ evidence, proposal }, index) => {
      const before = steps[index]!.proposal.candidates.map(({ name }) => name);
      const names = proposal.candidates.map(({ name }) => name);
      const counts = new Map(evidence.training.map(({ name, episodes }) => [name, episodes]));
      for (const name of before) expect(names.includes(name)).toBe(counts.get(name)! < 2);
      return before.filter((name) => counts.get(name)! < 2);
    });
    expect(unplayed.length).toBeGreaterThan(0);
  });

  it('leaves out of the pool what is never replayed', () => {
    // With ages only, those that were just played have none.
    const onlyAges = run({ staleness: 1 }).filter(({ entries }) => entries.some(({ age }) => age > 0));
    expect(onlyAges.length).toBeGreaterThan(0);
    for (const { entries, replayed } of onlyAges) {
      expect(replayed.map(({ name }) => name)).toEqual(entries.filter(({ age }) => age > 0).map(({ name }) => name));
    }
  });

  it('gives the buffer all episodes where the ranges have nothing new to give', () => {
    const start = {
      ...evidenceAtStart(strategy, SITUATIONS.spread, { ...OPTIONS, size: 20 }),
      randomization: { 'perturbations.action_delay': [1, 1] as const },
    };
    const last = decideThroughRun(strategy, { start, situation: SITUATIONS.spread, seed: 1 }).at(-1)!;
    expect(last.proposal.candidates).toEqual([]);
    // The train panel, and one draw on each of its members.
    expect(last.decision.pool.length).toBe(2 * train.length);
    expect(sum(last.decision.pool)).toBeCloseTo(1, 12);
  });

  it('asks for scores of the episodes exactly where its own score is made of them', () => {
    const needs = (score: string) => strategy.needs(evidenceAtStart(strategy, SITUATIONS.spread, { score }).options);
    expect(['positive_value_loss', 'max_mc'].map(needs)).toEqual([['episode_scores'], ['episode_scores']]);
    expect(['learnability', 'return_variance'].map(needs)).toEqual([[], []]);
  });
});
