import { describe, expect, it } from 'vitest';
import { chooseSamplers } from './sampler-count.ts';

const big = { runsAtOnce: 1, processors: 8, environments: 256, playedShare: 0.8 };

describe('the samplers of a run', () => {
  it('are as many as are asked for, whatever that brings', () => {
    expect(chooseSamplers(3, { ...big, processors: 1 })).toEqual({
      count: 3,
      why: 'execution.sampler_processes says so; auto would take 1: runs keep the processors busy, 1 at a time on 1',
    });
  });

  it('are one where runs alone keep the processors busy', () => {
    for (const runsAtOnce of [5, 8, 100]) {
      const { count, why } = chooseSamplers('auto', { ...big, runsAtOnce });
      expect([count, why]).toEqual([1, `runs keep the processors busy, ${runsAtOnce} at a time on 8`]);
    }
  });

  it('are the processors of a run whose world is slow, and never more than there are environments', () => {
    expect(chooseSamplers('auto', big)).toEqual({
      count: 8,
      why: 'playing is about 80 % of the time, so 8 save up to 70 %',
    });
    expect(chooseSamplers('auto', { ...big, runsAtOnce: 3 }).count).toBe(2);
    expect(chooseSamplers('auto', { ...big, environments: 5 }).count).toBe(5);
  });

  it('are one where playing takes so little that dividing it saves nothing worth a thread', () => {
    expect(chooseSamplers('auto', { ...big, playedShare: 0.1 })).toEqual({
      count: 1,
      why: 'playing is about 10 % of the time, so 8 would save 9 % at best',
    });
  });
});
