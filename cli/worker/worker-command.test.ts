import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { readConfiguration } from '../../infra/configuration.ts';
import { workerCommandLine, workerEnvironment } from './worker-command.ts';

it('tells a shell exactly the services and the artifacts, whatever characters they hold', () => {
  const configuration = readConfiguration({ THAW_HOME: "/tmp/it's here & there" });
  const addresses = { databaseUrl: "postgres://u:p'$x@127.0.0.1:5/thaw?a=1&b=2", temporalAddress: '127.0.0.1:7233' };
  const environment = workerEnvironment(configuration, addresses);
  const line = workerCommandLine(environment);
  expect(line).toMatch(/ thaw worker$/);
  const printed = execFileSync('sh', ['-c', line.replace('thaw worker', 'env')], { env: {}, encoding: 'utf8' });
  for (const [name, value] of Object.entries(environment)) expect(printed).toContain(`${name}=${value}\n`);
  expect(environment).toMatchObject({
    THAW_ARTIFACTS: configuration.artifacts,
    THAW_DATABASE_URL: addresses.databaseUrl,
  });
});
