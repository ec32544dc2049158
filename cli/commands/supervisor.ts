import { Command } from 'commander';

export function supervisorCommand(): Command {
  return new Command('supervisor')
    .description('Keeps the services of this home running while something needs them. Other verbs start it.')
    .action(async () => {
      const { supervise } = await import('../services/supervise.ts');
      await supervise();
    });
}
