// A program of the services test: `supervisor` keeps a home's services, `command` holds a lease on them until it is killed.
// The worker and the question for active runs are stand-ins that the test sees and sets through files in the home.
import { appendFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { readConfiguration } from '../../infra/configuration.ts';
import { createLog } from '../../infra/log.ts';
import { ensureServices } from '../../infra/services/supervisor-client.ts';
import { runSupervisor } from '../../infra/services/supervisor.ts';

const configuration = readConfiguration(process.env);
const fileOf = (name: string) => path.join(configuration.home, name);

async function migrate(databaseUrl: string): Promise<void> {
  if (existsSync(fileOf('bad-migration'))) throw new Error('the migration is bad');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('create table if not exists migrated (n int)');
  await client.end();
}

async function hasActiveRuns(): Promise<boolean> {
  appendFileSync(fileOf('asked'), 'for active runs\n');
  return existsSync(fileOf('active'));
}

if (process.argv[2] === 'supervisor') {
  const note = 'echo "$THAW_DATABASE_URL $THAW_TEMPORAL_ADDRESS" >> "$THAW_HOME/worker"; exec sleep 1000';
  await runSupervisor({
    configuration,
    build: process.argv[3]!,
    log: createLog({ level: 'info', name: 'supervisor' }),
    worker: { command: 'sh', args: ['-c', note] },
    migrate,
    hasActiveRuns,
    idle: { graceMs: 300, pollMs: 50 },
  });
} else {
  const supervisor = { command: process.execPath, args: [process.argv[1]!, 'supervisor', 'test'] };
  const { databaseUrl } = await ensureServices(configuration, {
    supervisor,
    build: 'test',
    onProgress: () => undefined,
  });
  process.stdout.write(`${databaseUrl}\n`);
  setInterval(() => undefined, 60_000);
}
