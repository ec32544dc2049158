import { Command } from 'commander';
import { examples, ID_HELP } from './command-options.ts';

export function pauseCommand(): Command {
  return new Command('pause')
    .summary('stop an experiment between two rounds')
    .description(
      'Begins nothing more of an experiment: runs that have not begun are PAUSED at once, the others after the step ' +
        'that they are in, which is kept. `thaw resume` goes on. Paused runs keep no service up and no memory.',
    )
    .argument('<id>', ID_HELP)
    .option('--wait', 'return when every run is paused or over')
    .addHelpText('after', examples('thaw pause @latest', 'thaw pause --wait @latest && thaw down'))
    .action(async (id: string, { wait = false }: { wait?: boolean }) => {
      const { pauseById } = await import('../lifecycle/stop-experiment.ts');
      process.exitCode = await pauseById(id, { waits: wait });
    });
}
