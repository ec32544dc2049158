import { noteOnTerminal } from '../terminal.ts';
import { machine, spreadOf, type BenchReport } from './report.ts';
import { benchSpec, firstVariant } from './spec.ts';
import { trainBare, type BareRun } from './training-loop.ts';

/** The return that `experiments/learning.json` reaches, seed by seed, with the wall time of its training. */
export async function benchLearn(): Promise<BenchReport> {
  const spec = await benchSpec('learning');
  const variant = firstVariant(spec);
  const runs: (BareRun & { readonly seed: number })[] = [];
  for (const seed of spec.experiment.seeds) {
    const run = await trainBare(variant, seed);
    noteOnTerminal(
      `seed ${seed}: return ${run.returnMean.toFixed(2)} after ${run.envSteps} env steps in ${run.wallS.toFixed(1)} s`,
    );
    runs.push({ seed, ...run });
  }
  return {
    name: 'learn',
    ours: {
      ...Object.fromEntries(
        runs.map(({ seed, returnMean, returnStandardError, wallS, envSteps }) => [
          `seed ${seed}`,
          { return: returnMean, 'standard error': returnStandardError, 'wall s': wallS, 'env steps': envSteps },
        ]),
      ),
      return: spreadOf(runs.map(({ returnMean }) => returnMean)),
      'wall s': spreadOf(runs.map(({ wallS }) => wallS)),
    },
    peers: [],
    ratios: {},
    n: runs.length,
    machine: machine(),
  };
}
