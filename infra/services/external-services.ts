import { ThawError } from '../../schemas/errors.ts';
import { maskUrl } from '../mask-secrets.ts';
import { signIn } from './postgres-server.ts';
import { describeNamespace } from './temporal-server.ts';

/**
 * @returns the URL, once a connection was made
 * @throws WORLD_POSTGRES_UNAVAILABLE naming the URL without its password
 */
export async function checkPostgres(url: string): Promise<string> {
  try {
    await signIn(url);
    return url;
  } catch (cause) {
    throw new ThawError('WORLD_POSTGRES_UNAVAILABLE', `${maskUrl(url)} does not let us in: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/**
 * @returns the address, once the server there described the namespace
 * @throws WORLD_TEMPORAL_UNAVAILABLE naming both
 */
export async function checkTemporal(address: string, namespace: string): Promise<string> {
  try {
    await describeNamespace(address, namespace);
    return address;
  } catch (cause) {
    const message = `Namespace ${namespace} of the Temporal server at ${address} cannot be used: ${messageOf(cause)}`;
    throw new ThawError('WORLD_TEMPORAL_UNAVAILABLE', message, { cause });
  }
}

/** An error of a refused connection to several addresses has an empty message and holds the others. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  const { message, details } = error as Error & { details?: string };
  return details || message;
}
