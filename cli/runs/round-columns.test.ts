import { describe, expect, it } from 'vitest';
import type { ListedRound } from '../../infra/postgres/round-list.ts';
import { recordFrom } from '../../learning/results/column.ts';
import { roundColumns } from './round-columns.ts';

const trained: ListedRound = {
  round: 1,
  envSteps: 6400,
  wallS: 2,
  peakRssMib: 120.4,
  peakGpuMib: null,
  samplerIdleShares: [],
  metrics: { entropy: 1.23456, value_loss: NaN },
  training: [],
  evaluation: [],
};
const cellsOf = (rounds: readonly ListedRound[]) => rounds.map((round) => recordFrom(roundColumns(rounds), round));

describe('the rounds of a run as a table', () => {
  it('show every metric, in few digits, and a gap where a round did not report it', () => {
    const [first, second] = cellsOf([trained, { ...trained, round: 2, metrics: { entropy: 0.001 } }]);
    expect(first).toMatchObject({ round: 1, peak_rss_mib: '120', entropy: '1.23', value_loss: 'NaN' });
    expect(second).toMatchObject({ round: 2, entropy: '0.001', value_loss: null });
  });

  it('tell of a GPU and of several samplers where there were such', () => {
    expect(Object.keys(cellsOf([trained])[0]!)).not.toContain('peak_gpu_mib');
    expect(Object.keys(cellsOf([trained])[0]!)).not.toContain('sampler_idle_shares');
    const shared = { ...trained, peakGpuMib: 7.6, samplerIdleShares: [0.021, 0.904] };
    expect(cellsOf([shared, trained])).toMatchObject([
      { peak_gpu_mib: '8', sampler_idle_shares: '2 %, 90 %' },
      { peak_gpu_mib: null, sampler_idle_shares: '' },
    ]);
  });
});
