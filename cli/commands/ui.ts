import { Command, InvalidArgumentError } from 'commander';
import { examples } from './command-options.ts';

interface Options {
  readonly host: string;
  readonly port?: number;
  readonly allowControl?: boolean;
  readonly open?: boolean;
}

export function uiCommand(): Command {
  return new Command('ui')
    .summary('serve the page that shows experiments and runs')
    .description(
      'Serves a page that shows experiments, runs and results as they come, and prints its address. Only this machine ' +
        'reaches it unless --host says otherwise; then the address holds a token (THAW_UI_TOKEN, or another at every start). ' +
        'It changes nothing unless it is started with --allow-control.',
    )
    .option('--host <address>', 'address to listen on; 0.0.0.0 for all of this machine', '127.0.0.1')
    .option('--port <port>', 'port to listen on (8429, or a free one when that is taken)', portNumber)
    .option('--allow-control', 'take orders from the page: pause, resume, cancel, kill, retry')
    .option('--open', 'open it in a browser')
    .addHelpText(
      'after',
      examples(
        'thaw ui',
        'thaw ui --allow-control --open',
        'THAW_UI_TOKEN=$(openssl rand -hex 16) thaw ui --host 0.0.0.0',
      ),
    )
    .action(async ({ host, port, allowControl = false, open = false }: Options) => {
      const { servePage } = await import('../ui/serve-page.ts');
      await servePage({ host, port, allowsControl: allowControl, opens: open });
    });
}

function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('Expected a port, 0 to 65535; 0 takes a free one.');
}
