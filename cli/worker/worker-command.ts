import type { Configuration } from '../../infra/configuration.ts';
import type { ServiceAddresses } from '../../infra/services/supervisor-protocol.ts';

/** What a further worker on this machine must be told. The URL holds the password. */
export function workerEnvironment(
  { temporalNamespace, artifacts }: Configuration,
  { databaseUrl, temporalAddress }: ServiceAddresses,
): Readonly<Record<string, string>> {
  return {
    THAW_DATABASE_URL: databaseUrl,
    THAW_TEMPORAL_ADDRESS: temporalAddress,
    THAW_TEMPORAL_NAMESPACE: temporalNamespace,
    THAW_ARTIFACTS: artifacts,
  };
}

/** The line that starts such a worker from a shell. */
export function workerCommandLine(environment: Readonly<Record<string, string>>): string {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${shellWord(value)}`);
  return [...variables, 'thaw', 'worker'].join(' ');
}

/** A value as a shell reads it back. */
function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
