import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { BenchOptions } from '../bench/bench.ts';
import type { BenchReport } from '../bench/report.ts';
import { examples, outputOption, positiveNumber, setOption, wholeNumber } from '../command-options.ts';

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

/** Every benchmark by its name, with what it measures; loaded when it is asked for. */
const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  simulators: {
    summary: 'raw stepping of every family on one core, beside MPE2',
    run: async () => (await import('../bench/simulators.ts')).benchSimulators(),
  },
  train: {
    summary: 'training throughput on one core, and the share of each stage',
    run: async () => (await import('../bench/train.ts')).benchTrain(),
  },
  learn: {
    summary: 'the return reached by experiments/learning.json, seed by seed',
    run: async () => (await import('../bench/learn.ts')).benchLearn(),
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
