import { Command } from 'commander';
import { examples, outputOption } from './command-options.ts';

export function explainCommand(): Command {
  return new Command('explain')
    .summary('say what a key of an experiment is')
    .description(
      'Says in words what a key of an experiment is: its type, range and default, the names that may stand there, an ' +
        'example, and where it may stand. Without a key, all keys. A key by its own name is found wherever it is.',
    )
    .argument('[key]', 'path of the key, e.g. budget.rounds, strategy.pool or variants.*.strategy', '')
    .option('--family <family>', 'the world, for keys that depend on it', 'simple_spread')
    .addOption(outputOption(['text', 'json'], 'text'))
    .addHelpText(
      'after',
      examples(
        'thaw explain',
        "thaw explain 'variants.*.strategy'",
        'thaw explain strategy.failure_driven',
        'thaw explain learning_rate',
        "thaw explain 'simulators.*.rules' --family foraging",
        'thaw explain budget -o json',
      ),
    )
    .action(async (key: string, { family, output }: { family: string; output: 'text' | 'json' }) => {
      const { explainKey } = await import('../explain/explain-key.ts');
      explainKey(key, { family, format: output });
    });
}
