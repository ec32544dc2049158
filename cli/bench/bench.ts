import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { print } from '../terminal/terminal.ts';
import { reportText, type BenchReport } from './report.ts';

/** Options of all benchmarks; each is given those that its verb declares. */
export interface BenchOptions {
  readonly kills: number;
  readonly memory: number;
  readonly seed: number;
  readonly interval: number;
  readonly runs: number;
  readonly concurrency: readonly number[];
  readonly repetitions: number;
  readonly rounds: number;
  /** How long each peer is measured. */
  readonly seconds: number;
  readonly seeds: number;
  /** Env steps over which memory is watched. */
  readonly steps: number;
  /** Env steps of a run, one after the other; none for those of the experiments. */
  readonly budgets: readonly number[];
  /** Names of what is to be measured; none for all. */
  readonly only: readonly string[];
  /** Folder to record histories into; undefined for none. */
  readonly histories: string | undefined;
  /** Changes of the experiment. */
  readonly set: readonly string[];
}

/** Runs one benchmark, prints its report and tells whether what it is to show came out. */
export async function runBench(
  run: (options: BenchOptions) => Promise<BenchReport>,
  { output, ...options }: BenchOptions & { output: 'text' | 'json' },
): Promise<ExitCode> {
  const report = await run(options);
  print(output === 'json' ? jsonText(report) : reportText(report));
  return report.holds === false ? EXIT.defect : EXIT.done;
}
