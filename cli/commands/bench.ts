import { Argument, Command } from 'commander';
import { BENCHES } from '../bench/bench.ts';
import { examples, outputOption } from '../command-options.ts';

export function benchCommand(): Command {
  const list = Object.entries(BENCHES).map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`);
  return new Command('bench')
    .summary('measure speed, learning, overhead and durability on this machine')
    .description(`Measures on this machine:\n${list.join('\n')}`)
    .addArgument(new Argument('<name>', 'which benchmark').choices(Object.keys(BENCHES)))
    .addOption(outputOption(['text', 'json'], 'text'))
    .addHelpText('after', examples('thaw bench train', 'thaw bench durability -o json'))
    .action(async (name: string, { output }: { output: 'text' | 'json' }) => {
      const { runBench } = await import('../bench/bench.ts');
      await runBench(name, output);
    });
}
