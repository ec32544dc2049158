import type { ListedRound } from '../../infra/postgres/round-list.ts';
import type { Column } from '../../learning/results/column.ts';
import { countText, durationText } from '../../web/documents/quantity-text.ts';

const DIGITS = 3;

/** A number of training in as many digits as tell something. */
export const metricText = (value: number): string => String(Number(value.toPrecision(DIGITS)));

/** What is told of trained rounds one below the other. What none of them has is left out. */
export function roundColumns(rounds: readonly ListedRound[]): readonly Column<ListedRound>[] {
  const names = [...new Set(rounds.flatMap(({ metrics }) => Object.keys(metrics)))];
  const number = { align: 'right' } as const;
  return [
    { key: 'round', ...number, value: ({ round }) => round },
    { key: 'env_steps', title: 'env steps', ...number, value: ({ envSteps }) => countText(envSteps) },
    { key: 'wall_s', title: 'time', ...number, value: ({ wallS }) => durationText(wallS) },
    { key: 'peak_rss_mib', title: 'MiB', ...number, value: ({ peakRssMib }) => countText(Math.round(peakRssMib)) },
    ...(rounds.every(({ peakGpuMib }) => peakGpuMib === null)
      ? []
      : [{ key: 'peak_gpu_mib', title: 'GPU MiB', ...number, value: gpuText }]),
    ...(rounds.every(({ samplerIdleShares }) => samplerIdleShares.length === 0)
      ? []
      : [{ key: 'sampler_idle_shares', title: 'samplers idle', ...number, value: idleText }]),
    ...names.map((name) => ({
      key: name,
      ...number,
      value: ({ metrics }: ListedRound) => (name in metrics ? metricText(metrics[name]!) : null),
    })),
  ];
}

/** A round as an object for programs. */
export function roundDocument(round: ListedRound): Record<string, unknown> {
  return {
    round: round.round,
    env_steps: round.envSteps,
    wall_s: round.wallS,
    peak_rss_mib: round.peakRssMib,
    peak_gpu_mib: round.peakGpuMib,
    sampler_idle_shares: round.samplerIdleShares,
    metrics: round.metrics,
  };
}

const gpuText = ({ peakGpuMib }: ListedRound): string | null =>
  peakGpuMib === null ? null : countText(Math.round(peakGpuMib));

const idleText = ({ samplerIdleShares }: ListedRound): string =>
  samplerIdleShares.map((share) => `${Math.round(100 * share)} %`).join(', ');
