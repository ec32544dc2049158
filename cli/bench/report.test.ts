import { describe, expect, it } from 'vitest';
import { machine, reportText, spreadOf } from './report.ts';

describe('a spread', () => {
  it('has the middle value, or the mean of the two in the middle', () => {
    expect(spreadOf([3, 1, 2])).toEqual({ n: 3, min: 1, median: 2, max: 3 });
    expect(spreadOf([4, 1, 2, 3])).toEqual({ n: 4, min: 1, median: 2.5, max: 4 });
  });
});

describe('a report', () => {
  it('prints ratios first, figures as spreads and words as they are', () => {
    const text = reportText({
      name: 'example',
      ours: { speed: spreadOf([1000, 3000]), states: ['SUCCEEDED', 'FAILED'], nothing: [], nested: { wall: 1.25 } },
      peers: [{ name: 'peer', env_steps_per_s: [10, 20] }],
      ratios: { 'ours over peer': 133.333 },
      n: 2,
      machine: machine(),
    });
    const lines = text.split('\n').map((line) => line.trim());
    expect(lines.slice(1)).toEqual([
      'ratio ours over peer: 133.3',
      'speed: 2,000 (min 1,000, max 3,000, n 2)',
      'states: SUCCEEDED FAILED',
      'nothing:',
      'nested: wall 1.25',
      'peer name peer, env_steps_per_s 15 (min 10, max 20, n 2)',
    ]);
  });
});
