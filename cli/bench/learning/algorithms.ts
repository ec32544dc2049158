import { availableParallelism } from 'node:os';
import { mean } from '../../../learning/statistics/moments.ts';
import type { ResolvedVariant } from '../../../schemas/resolved-experiment.ts';
import { mapAtMost } from '../../at-most.ts';
import { note } from '../../terminal/terminal.ts';
import type { BenchOptions } from '../bench.ts';
import { machine, type BenchReport } from '../report.ts';
import { benchSpec } from '../spec.ts';
import { learnedRun, seedsReturn, type LearnedRun } from './learned-run.ts';
import { PlainRun } from './plain-run.ts';
import { scriptedReturns } from './scripted-returns.ts';
import { inTrainingProcess } from './training-process.ts';

/** Experiments of `experiments/learning/`, whose variants are algorithms. */
export const TASKS = ['spread', 'tag', 'foraging', 'one-seat-spread', 'one-seat-tag', 'mixed-partners'] as const;

/** One run that there is to do. */
interface Trial {
  readonly task: string;
  readonly variantName: string;
  readonly variant: ResolvedVariant;
  readonly seed: number;
}

/**
 * The return that each algorithm reaches in each task, on what it trains on, beside random actions and the scripted
 * reference.
 */
export async function benchAlgorithms(options: BenchOptions): Promise<BenchReport> {
  const trials = await trialsOf(options);
  const startedAt = performance.now();
  let done = 0;
  const runs = await mapAtMost(availableParallelism(), trials, async ({ task, variantName, variant, seed }) => {
    const run = await learnedRun(variant, seed);
    done += 1;
    note(
      `${done} of ${trials.length}, ${Math.round((performance.now() - startedAt) / 1000)} s: ${task}/${variantName}, ` +
        `seed ${seed}: ${run.returnMean.toFixed(3)} in ${run.wallS.toFixed(1)} s`,
    );
    return run;
  });
  const tasks = TASKS.filter((task) => trials.some((trial) => trial.task === task));
  const ours: Record<string, unknown> = {};
  for (const task of tasks) {
    const first = trials.find((trial) => trial.task === task)!;
    ours[task] = await referencesOf(first.variant);
    for (const variantName of new Set(
      trials.filter((trial) => trial.task === task).map((trial) => trial.variantName),
    )) {
      const own = runs.filter((_, index) => trials[index]!.task === task && trials[index]!.variantName === variantName);
      ours[`${task}/${variantName}`] = figuresOf(own);
    }
  }
  return { name: 'algorithms', ratios: {}, ours, peers: [], n: options.seeds, machine: machine() };
}

/** The runs that are asked for: `only` names tasks, variants, or both as TASK/VARIANT. */
async function trialsOf({ seeds, budgets, only }: BenchOptions): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const task of TASKS) {
    const overrides = budgets.length === 0 ? [] : [`budget.env_steps=${budgets[0]}`];
    const { experiment } = await benchSpec(`learning/${task}`, overrides);
    for (const [variantName, variant] of Object.entries(experiment.variants)) {
      const names = [task, variantName, `${task}/${variantName}`];
      if (only.length > 0 && !names.some((name) => only.includes(name))) continue;
      for (let seed = 0; seed < seeds; seed += 1) trials.push({ task, variantName, variant, seed });
    }
  }
  return trials;
}

/** What nobody had to learn, on the simulators that are learnt from. */
function referencesOf(variant: ResolvedVariant): Promise<Record<string, number | string>> {
  return inTrainingProcess(async (process) => {
    const run = new PlainRun(variant, { seed: 0, process });
    const scripted = run.simulators.map((simulator) =>
      scriptedReturns(variant, simulator, variant.evaluation.final_episodes),
    );
    return {
      random: mean(await run.randomReturns()),
      scripted: scripted.includes(null) ? 'none' : mean(scripted.flatMap((returns) => returns ?? [])),
    };
  });
}

function figuresOf(runs: readonly LearnedRun[]): Record<string, unknown> {
  return {
    return: seedsReturn(runs.map(({ returnMean }) => returnMean)),
    'env steps': mean(runs.map(({ envSteps }) => envSteps)),
    'wall s': mean(runs.map(({ wallS }) => wallS)),
    'peak MiB': Math.max(...runs.map(({ peakRssMib }) => peakRssMib)),
  };
}
