import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { BenchOptions } from '../bench/bench.ts';
import type { BenchReport } from '../bench/report.ts';
import { examples, outputOption, positiveNumber, setOption, wholeNumber } from './command-options.ts';

interface Benchmark {
  readonly summary: string;
  readonly options?: readonly Option[];
  readonly run: (options: BenchOptions) => Promise<BenchReport>;
}

const number = (flags: string, description: string, initial: number): Option =>
  new Option(flags, description).argParser(positiveNumber).default(initial);
const countFromZero = (flags: string, description: string, initial: number): Option =>
  new Option(flags, description).argParser(wholeNumber).default(initial);

const numberList = (text: string): number[] => {
  const numbers = text.split(',').map(positiveNumber);
  if (new Set(numbers).size < numbers.length) throw new InvalidArgumentError('Expected different numbers.');
  return numbers;
};

const budgets = (description: string, initial: readonly number[]): Option =>
  new Option('--budgets <list>', description).argParser(numberList).default(initial, initial.join(',') || 'theirs');
const only = (description: string): Option =>
  new Option('--only <list>', description)
    .argParser((text: string) => text.split(','))
    .default([] as readonly string[], 'all');

/** Every benchmark by its name, with what it measures; loaded when it is asked for. */
const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  simulators: {
    summary: 'raw stepping of every family on one core, beside MPE2',
    run: async () => (await import('../bench/simulators.ts')).benchSimulators(),
  },
  train: {
    summary: 'training throughput of the whole machine beside other systems, and where the time goes',
    options: [
      number('--repetitions <n>', 'how often ours and each of the others are measured, in turns', 3),
      number('--seconds <n>', 'how long each of the others is measured', 15),
      only('systems beside ours, e.g. jaxmarl,benchmarl,sb3'),
    ],
    run: async (options) => (await import('../bench/learning/train.ts')).benchTrain(options),
  },
  learn: {
    summary: 'the return after several budgets of env steps, and the wall time to a return, beside another system',
    options: [
      number('--seeds <n>', 'runs for each budget', 5),
      budgets('env steps of the runs', [250_000, 500_000, 750_000, 1_000_000, 2_000_000]),
      only('systems, e.g. ours,jaxmarl'),
    ],
    run: async (options) => (await import('../bench/learning/learn.ts')).benchLearn(options),
  },
  algorithms: {
    summary: 'the return that every algorithm reaches in the tasks of experiments/learning',
    options: [
      number('--seeds <n>', 'runs of each', 5),
      budgets('env steps of a run, in place of those of the experiments; one number', []),
      only('tasks, variants, or TASK/VARIANT, e.g. tag,foraging/qmix'),
    ],
    run: async (options) => (await import('../bench/learning/algorithms.ts')).benchAlgorithms(options),
  },
  repeatability: {
    summary: 'hashes of what every algorithm learnt, by number of samplers and rows at once: equal',
    options: [only('variants of experiments/learning/spread and one-seat-spread, e.g. ippo,qmix')],
    run: async (options) => (await import('../bench/learning/repeatability.ts')).benchRepeatability(options),
  },
  memory: {
    summary: 'peak memory of a training process, round by round: flat',
    options: [
      number('--rounds <n>', 'rounds of each run', 24),
      only('variants of experiments/learning/spread, e.g. ippo,qmix'),
    ],
    run: async (options) => (await import('../bench/learning/memory.ts')).benchMemory(options),
  },
  overhead: {
    summary: 'a run under Temporal and Postgres over the same rounds bare',
    options: [
      number('--repetitions <n>', 'how often both are measured', 3),
      number('--rounds <n>', 'rounds of the run, of about 5 s each', 20),
    ],
    run: async (options) => (await import('../bench/overhead.ts')).benchOverhead(options),
  },
  durability: {
    summary: 'kill -9 of each component in the middle of a run: equal rows',
    options: [new Option('--histories <folder>', 'records the histories of workflows that all of it befell')],
    run: async (options) => (await import('../bench/durability.ts')).benchDurability(options),
  },
  chaos: {
    summary: 'twelve runs while a random component is killed every few seconds: equal rows',
    options: [
      countFromZero('--kills <n>', 'how many kills', 100),
      countFromZero('--memory <n>', 'how often memory is refused to a training process', 0),
      countFromZero('--seed <n>', 'of the order of the faults and the times between them', 1),
      number('--interval <seconds>', 'from one fault to the next, on average', 5),
      setOption(),
    ],
    run: async (options) => (await import('../bench/chaos.ts')).benchChaos(options),
  },
  handover: {
    summary: 'from kill -9 of a worker to the next attempt on another worker',
    options: [number('--repetitions <n>', 'how many workers are killed', 5)],
    run: async (options) => (await import('../bench/handover.ts')).benchHandover(options),
  },
  scale: {
    summary: 'runs a minute and memory of everything in one experiment of many short runs',
    options: [
      number('--runs <n>', 'how many runs of one round', 2001),
      new Option('--concurrency <list>', 'runs at the same time; of several numbers one after the other')
        .argParser(numberList)
        .default([availableParallelism()], 'processors'),
    ],
    run: async (options) => (await import('../bench/scale.ts')).benchScale(options),
  },
  growth: {
    summary: 'events, rows and bytes of a run of 200 rounds over one of 20, a round',
    options: [number('--rounds <n>', 'rounds of the longest run; at least 40', 200)],
    run: async (options) => (await import('../bench/growth.ts')).benchGrowth(options),
  },
  bridge: {
    summary:
      'stepping environments in Python through the bridge, beside the same loop in Python alone; memory meanwhile',
    options: [
      number('--repetitions <n>', 'how often both are measured, in turns', 5),
      number('--seconds <n>', 'how long each time', 5),
      number('--steps <n>', 'env steps over which memory is watched', 1_000_000),
    ],
    run: async (options) => (await import('../bench/bridge.ts')).benchBridge(options),
  },
  results: {
    summary: 'tables, lists and folded statistics over a million episodes of ten thousand runs',
    options: [number('--repetitions <n>', 'how often each is asked', 30)],
    run: async (options) => (await import('../bench/results.ts')).benchResults(options),
  },
};

export function benchCommand(): Command {
  const bench = new Command('bench')
    .summary('measure speed, learning, overhead, durability and scale on this machine')
    .description('Measures on this machine. Ratios come first, and every figure with its n and spread.')
    .addHelpText(
      'after',
      examples('thaw bench train', 'thaw bench chaos --kills 100 --seed 1', 'thaw bench durability -o json'),
    );
  for (const [name, { summary, options = [], run }] of Object.entries(BENCHMARKS)) {
    const verb = new Command(name)
      .summary(summary)
      .description(`${summary[0]!.toUpperCase()}${summary.slice(1)}.`)
      .addOption(outputOption(['text', 'json'], 'text'))
      .addHelpText('after', examples(`thaw bench ${name}`))
      .action(async (given: BenchOptions & { output: 'text' | 'json' }) => {
        const { runBench } = await import('../bench/bench.ts');
        process.exitCode = await runBench(run, given);
      });
    for (const option of options) verb.addOption(option);
    bench.addCommand(verb);
  }
  return bench;
}
