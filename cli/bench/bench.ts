import { print } from '../terminal.ts';
import { jsonText } from '../json-text.ts';
import { reportText, type BenchReport } from './report.ts';

/** Every benchmark by its name, with what it measures; loaded when it is asked for. */
export const BENCHES: Readonly<Record<string, { readonly summary: string; readonly run: () => Promise<BenchReport> }>> =
  {
    simulators: {
      summary: 'raw stepping of every family on one core, beside MPE2',
      run: async () => (await import('./simulators.ts')).benchSimulators(),
    },
    train: {
      summary: 'training throughput on one core, and the share of each stage',
      run: async () => (await import('./train.ts')).benchTrain(),
    },
    learn: {
      summary: 'the return reached by experiments/learning.json, seed by seed',
      run: async () => (await import('./learn.ts')).benchLearn(),
    },
    overhead: {
      summary: 'a run under Temporal and Postgres over the same rounds bare',
      run: async () => (await import('./overhead.ts')).benchOverhead(),
    },
    durability: {
      summary: 'kill -9 of each component in the middle of a run: equal rows',
      run: async () => (await import('./durability.ts')).benchDurability(),
    },
  };

/** Runs one benchmark and prints its report. */
export async function runBench(name: string, format: 'text' | 'json'): Promise<void> {
  const report = await BENCHES[name]!.run();
  print(format === 'json' ? jsonText(report) : reportText(report));
}
