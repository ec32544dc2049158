import type { RunCounts } from '../../learning/results/state-counts.ts';
import type { Column } from '../../learning/results/column.ts';
import { readConfiguration, type Configuration } from '../../infra/configuration.ts';
import { maskUrl } from '../../infra/mask-secrets.ts';
import { countRuns } from '../../infra/postgres/experiment-list.ts';
import { keepServices, stopServices, supervisorStatus } from '../../infra/services/supervisor-client.ts';
import type { SupervisorStatus } from '../../infra/services/supervisor-protocol.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { listingText } from '../table-formats/listing.ts';
import { cellsText, countsText } from '../runs/run-counts.ts';
import { takeServices, withDatabase } from './service-session.ts';
import { ageText, pluralText } from '../../web/documents/quantity-text.ts';
import { print } from '../terminal/terminal.ts';
import { workerCommandLine, workerEnvironment } from '../worker/worker-command.ts';

/** Starts the services and leaves them running until `down`. */
export async function bringUp(): Promise<void> {
  const configuration = readConfiguration(process.env);
  const services = await takeServices(configuration);
  await keepServices(configuration, true);
  print(`Up: Postgres at ${maskUrl(services.databaseUrl)}, Temporal at ${services.temporalAddress}, and a worker.`);
  print(`They stay until \`thaw down\`; everything they keep is in ${configuration.home}.`);
  services.release();
}

/** Stops the services, whoever uses them. */
export async function bringDown(): Promise<void> {
  const configuration = readConfiguration(process.env);
  const hasRun = await stopServices(configuration);
  print(hasRun ? 'Down. Runs that are not over go on when the services are up again.' : 'Nothing was running.');
}

type ServiceStatus = SupervisorStatus['services'][number];

const SERVICE_COLUMNS: readonly Column<ServiceStatus>[] = [
  { key: 'service', value: ({ name }) => name },
  { key: 'process', align: 'right', value: ({ pid }) => pid ?? 'starting' },
  { key: 'port', align: 'right', value: ({ port }) => port },
  { key: 'restarts', align: 'right', value: ({ restarts }) => restarts },
  { key: 'what', value: ({ description }) => description },
];

/** Tells what runs here, and starts nothing. */
export async function showStatus(
  format: 'table' | 'json',
  { hasAddresses }: { hasAddresses: boolean },
): Promise<ExitCode> {
  const configuration = readConfiguration(process.env);
  const status = await supervisorStatus(configuration);
  const isServing = status?.phase === 'serving';
  const runs = isServing ? await withDatabase(countRuns) : null;
  const worker = hasAddresses && isServing ? await furtherWorker(configuration) : undefined;
  if (format === 'json') print(jsonText({ home: configuration.home, supervisor: status, runs, worker }, 2));
  else print(`${statusText(configuration, status, runs)}${worker === undefined ? '' : `\n\n${worker.command_line}`}`);
  return EXIT.done;
}

/** How a further worker on this machine is started. */
async function furtherWorker(configuration: Configuration) {
  const services = await takeServices(configuration);
  services.release();
  const environment = workerEnvironment(configuration, services);
  return { environment, command_line: workerCommandLine(environment) };
}

function statusText({ home }: Configuration, status: SupervisorStatus | null, runs: RunCounts | null): string {
  if (status === null) return `Nothing runs for ${home}. \`thaw up\` or any verb that needs services starts them.`;
  const { pid, phase, startedAt, leases, isKept, services } = status;
  const users = `${pluralText(leases, 'command')} use${leases === 1 ? 's' : ''} them${isKept ? ', and `up` keeps them' : ''}`;
  return [
    `Services of ${home}: ${phase}, supervisor ${pid} started ${ageText(new Date(startedAt), Date.now())}; ${users}.`,
    listingText(SERVICE_COLUMNS, services, 'table'),
    ...(runs === null ? [] : [`Runs: ${cellsText(runs)}; ${countsText(runs)}.`]),
  ].join('\n\n');
}
