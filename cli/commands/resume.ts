import { Command } from 'commander';
import { changeOption, examples, outputOption, TARGET_HELP } from './command-options.ts';

interface Options {
  readonly spec?: string;
  readonly set: readonly string[];
  readonly dryRun: boolean;
  readonly output: 'table' | 'json';
}

export function resumeCommand(): Command {
  return new Command('resume')
    .summary('go on with what was paused or cancelled')
    .description(
      'Goes on with the paused and cancelled runs of an experiment from their last committed rounds, and with runs that ' +
        'nothing looks after any more. Changes of `execution` and further seeds are taken over; anything else would be ' +
        'another experiment, and is refused. An experiment that is complete stays as it is.',
    )
    .argument('<id>', TARGET_HELP)
    .option('--spec <file>', 'what the experiment is to be like, as a whole')
    .addOption(changeOption('execution.max_concurrent_runs=4'))
    .option('--dry-run', 'tell for each run what is reused and what runs again, and start nothing', false)
    .addOption(outputOption(['table', 'json'], 'table'))
    .addHelpText(
      'after',
      examples(
        'thaw resume @latest',
        'thaw resume @latest --dry-run',
        'thaw resume @latest --set seeds.count=10 --set execution.max_concurrent_runs=4',
      ),
    )
    .action(async (id: string, { spec: file, set: overrides, dryRun, output }: Options) => {
      if (dryRun) {
        const { showResumption } = await import('../lifecycle/show-resumption.ts');
        await showResumption(id, { file, overrides }, output);
      } else {
        const { resumeById } = await import('../lifecycle/resume-experiment.ts');
        process.exitCode = await resumeById(id, { file, overrides });
      }
    });
}
