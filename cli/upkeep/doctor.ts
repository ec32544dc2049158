import type { Column } from '../../learning/results/column.ts';
import os from 'node:os';
import { maskConfiguration, readConfiguration } from '../../infra/configuration.ts';
import { checkInstallation, type Finding } from './check-installation.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { listingText } from '../table-formats/listing.ts';
import { programVersion } from '../program-version.ts';
import { colorsFor, noteOnTerminal, print } from '../terminal/terminal.ts';

const MIB = 2 ** 20;

/** Prints the configuration with secrets masked, the versions, and what is wrong with this installation. */
export async function examine(format: 'table' | 'json'): Promise<ExitCode> {
  const configuration = readConfiguration(process.env);
  const findings = await checkInstallation(configuration, noteOnTerminal);
  const versions = { thaw: programVersion(), node: process.versions.node, ...machine() };
  const masked = maskConfiguration(configuration);
  if (format === 'json') print(jsonText({ versions, configuration: masked, findings }, 2));
  else print([pairsText(versions), pairsText(masked, UNSET), findingsText(findings)].join('\n\n'));
  return findings.every(({ isOk }) => isOk) ? EXIT.done : EXIT.world;
}

function machine(): Record<string, string> {
  const [cpu] = os.cpus();
  return {
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    processor: `${cpu?.model.trim() ?? 'unknown'}, ${os.availableParallelism()} available`,
    memory: `${Math.round(os.totalmem() / MIB)} MiB`,
  };
}

/** What takes the place of a setting that is not given. */
const UNSET: Readonly<Record<string, string>> = {
  databaseUrl: 'embedded',
  temporalAddress: 'embedded',
  temporalBinary: 'found, or fetched when needed',
  workerMemoryMib: '90 % of the machine',
  controlGroup: 'none',
  uiToken: 'another at every start of `thaw ui`',
  webhookUrl: 'nobody is told',
  webhookSecret: 'notices are not signed',
  mlflowUrl: 'no credentials for a tracker',
  metricsPort: 'no metrics',
};

function pairsText(pairs: object, unset: Readonly<Record<string, string>> = {}): string {
  const rows = Object.entries(pairs) as [string, string | null][];
  const width = Math.max(...rows.map(([key]) => key.length));
  return rows.map(([key, value]) => `${key.padEnd(width)}  ${value ?? unset[key] ?? ''}`).join('\n');
}

const COLUMNS: readonly Column<Finding>[] = [
  { key: 'component', value: ({ component }) => component },
  {
    key: 'state',
    value: ({ isOk }) => (isOk ? 'ok' : 'wrong'),
    text: ({ isOk }) => (isOk ? colorsFor(process.stdout).green('ok') : colorsFor(process.stdout).red('wrong')),
  },
  { key: 'detail', value: ({ detail }) => detail },
];

function findingsText(findings: readonly Finding[]): string {
  const remedies = findings.flatMap(({ component, remedy }) =>
    remedy === undefined ? [] : [`  ${component}: ${remedy}`],
  );
  const table = listingText(COLUMNS, findings, 'table');
  return remedies.length === 0 ? table : `${table}\n\nWhat to do:\n${remedies.join('\n')}`;
}
