import { describe, expect, it } from 'vitest';
import { metricLines, panelLines, pickLines, simulatorLines, type ShownRound } from './round-lines.ts';

const means = (simulator: string, return_mean: number) => ({ simulator, episodes: 8, return_mean, success_rate: 0 });
const on = (panel: 'train' | 'validation' | 'test', simulator: string, return_mean: number) => ({
  ...means(simulator, return_mean),
  panel,
  return_std: 1,
});

function round(number: number, change: Partial<ShownRound> = {}): ShownRound {
  const measured = { training: [], evaluation: [], metrics: {} };
  const taken = { peak_gpu_mib: null, sampler_idle_shares: [] };
  return { round: number, env_steps: 1000 * number, wall_s: 1, peak_rss_mib: 100, ...taken, ...measured, ...change };
}

const ROUNDS = [
  round(0, { evaluation: [on('test', 'far', -20)] }),
  round(1, { training: [means('zero', -9), means('left', -5)], metrics: { entropy: 1.5, loss: NaN } }),
  round(2, {
    training: [means('zero', -8), means('made', -30)],
    evaluation: [on('train', 'zero', -7), on('test', 'far', -18), on('test', 'near', -14)],
    metrics: { entropy: 1.25 },
  }),
];

describe('the curves of a run', () => {
  it('have a line for each panel that was measured: the mean of its simulators, from the worst to the best', () => {
    const lines = panelLines(ROUNDS);
    expect(lines.map(({ label }) => label)).toEqual(['while training', 'train, evaluated', 'test']);
    expect(lines[2]!.points).toEqual([
      { x: 0, y: -20, low: -20, high: -20, n: 1 },
      { x: 2000, y: -16, low: -18, high: -14, n: 2 },
    ]);
    expect(lines[0]!.points.map(({ y }) => y)).toEqual([-7, -19]);
  });

  it('have a line for each simulator in the rounds that played it', () => {
    const lines = simulatorLines(ROUNDS, 'training');
    expect(Object.fromEntries(lines.map(({ label, points }) => [label, points.map(({ x, y }) => [x, y])]))).toEqual({
      zero: [
        [1000, -9],
        [2000, -8],
      ],
      left: [[1000, -5]],
      made: [[2000, -30]],
    });
    expect(simulatorLines(ROUNDS, 'validation')).toEqual([]);
  });

  it('are narrowed down to the worst or the best; what is no number is the worst', () => {
    const lines = simulatorLines([...ROUNDS, round(3, { training: [means('lost', NaN)] })], 'training');
    const picked = (from: 'worst' | 'best') => pickLines(lines, { count: 2, from }).map(({ label }) => label);
    expect(picked('worst')).toEqual(['lost', 'made']);
    expect(picked('best')).toEqual(['left', 'zero']);
  });

  it('have a line for each metric where it was measured', () => {
    const [entropy, loss] = metricLines(ROUNDS);
    expect([entropy!.label, loss!.label]).toEqual(['entropy', 'loss']);
    expect(metricLines(ROUNDS).map(({ label }) => label)).toEqual(['entropy', 'loss', 'peak_rss_mib', 'wall_s']);
    const shared = metricLines([round(1, { peak_gpu_mib: 7, sampler_idle_shares: [0.1, 0.9] })]);
    expect(shared.map(({ label, points }) => [label, points[0]!.y])).toEqual([
      ['peak_gpu_mib', 7],
      ['peak_rss_mib', 100],
      ['sampler_idle_share.0', 0.1],
      ['sampler_idle_share.1', 0.9],
      ['wall_s', 1],
    ]);
    expect(entropy!.points.map(({ y }) => y)).toEqual([1.5, 1.25]);
    expect(loss!.points).toEqual([{ x: 1000, y: NaN }]);
  });
});
