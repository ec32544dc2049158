import { note } from '../../terminal/terminal.ts';
import type { BenchOptions } from '../bench.ts';
import { machine, type BenchReport } from '../report.ts';
import { benchSpec } from '../spec.ts';
import { PlainRun } from './plain-run.ts';
import { inTrainingProcess } from './training-process.ts';

/** Variants of `experiments/learning/spread.json`. */
const MEASURED = ['ippo', 'mappo_recurrent', 'qmix'];
const ENV_STEPS_OF_ROUND = 51_200;
/** What the last quarter of the rounds may take more than the second. */
const RATIO_MAX = 1.05;

/** Peak resident memory of a training process, round by round: flat once everything is there. */
export async function benchMemory({ rounds, only }: BenchOptions): Promise<BenchReport> {
  const overrides = [`budget.rounds=${rounds}`, `budget.env_steps=${rounds * ENV_STEPS_OF_ROUND}`];
  const { experiment } = await benchSpec('learning/spread', overrides);
  const ours: Record<string, unknown> = {};
  const ratios: Record<string, number> = {};
  for (const name of only.length > 0 ? only : MEASURED) {
    const peaks = await inTrainingProcess(async (process) => {
      const trained = await new PlainRun(experiment.variants[name]!, { seed: 0, process }).trainAll();
      return trained.map(({ peakRssMib }) => peakRssMib);
    });
    const largest = (from: number, to: number): number =>
      Math.max(...peaks.slice(Math.floor(from * rounds), Math.ceil(to * rounds)));
    ratios[`${name}, last quarter of the rounds over the second`] = largest(0.75, 1) / largest(0.25, 0.5);
    ours[`${name}, peak MiB`] = Math.max(...peaks);
    ours[`${name}, peak MiB round by round`] = peaks.map((peak) => Math.round(peak)).join(' ');
    note(`${name}: ${String(ours[`${name}, peak MiB round by round`])}`);
  }
  const holds = Object.values(ratios).every((ratio) => ratio <= RATIO_MAX);
  return { name: 'memory', holds, ratios, ours, peers: [], n: rounds, machine: machine() };
}
