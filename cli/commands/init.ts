import { Command } from 'commander';
import { examples, positiveNumber } from './command-options.ts';

interface Options {
  readonly family?: string;
  readonly compare?: readonly string[];
  readonly seeds?: number;
  readonly envSteps?: number;
  readonly force: boolean;
  readonly yes: boolean;
}

export function initCommand(): Command {
  return new Command('init')
    .summary('write a first experiment, with comments, to change and run')
    .description(
      'Writes an experiment file that is valid as it stands, with a comment above what is likely to be changed. On a ' +
        'terminal it asks for what no option gives; elsewhere, and with --yes, it takes the usual. It starts nothing.',
    )
    .argument('[file]', 'the file to write; its name becomes the name of the experiment', 'experiment.jsonc')
    .option('--family <family>', 'the world, e.g. simple_spread')
    .option('--compare <strategies>', 'what to compare, e.g. frozen,pool,failure_driven', (text) => text.split(','))
    .option('--seeds <count>', 'how many seeds of each variant', positiveNumber)
    .option('--env-steps <count>', 'how long a run trains', positiveNumber)
    .option('--force', 'replace a file that is there', false)
    .option('--yes', 'ask nothing', false)
    .addHelpText('after', examples('thaw init', 'thaw init my.jsonc --family foraging --compare frozen,pool --seeds 5'))
    .action(async (file: string, { family, compare, seeds, envSteps, force, yes }: Options) => {
      const { writeStart } = await import('../init/write-start.ts');
      const given = {
        ...(family !== undefined && { family }),
        ...(compare !== undefined && { compare }),
        ...(seeds !== undefined && { seedCount: seeds }),
        ...(envSteps !== undefined && { envSteps }),
      };
      process.exitCode = await writeStart(file, given, { replaces: force, asks: !yes });
    });
}
