import { machine, spreadOf, type BenchReport } from './report.ts';
import { benchSpec, firstVariant } from './spec.ts';
import { trainBare, type BareRun } from './training-loop.ts';

const ROUNDS = 2;
const REPETITIONS = 5;

/** Training throughput on one core: the task, network and updates of `experiments/learning.json`. */
export async function benchTrain(): Promise<BenchReport> {
  const variant = firstVariant(await benchSpec('learning'));
  await trainBare(variant, 0, 1);
  const runs: BareRun[] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1)
    runs.push(await trainBare(variant, repetition, ROUNDS));
  const stages = Object.keys(runs[0]!.shares);
  return {
    name: 'train',
    ours: {
      'env steps/s, one core': spreadOf(runs.map(({ envSteps, wallS }) => envSteps / wallS)),
      ...Object.fromEntries(
        stages.map((stage) => [`share of ${stage}`, spreadOf(runs.map(({ shares }) => shares[stage] ?? 0))]),
      ),
    },
    peers: [],
    ratios: {},
    n: REPETITIONS,
    machine: machine(),
  };
}
