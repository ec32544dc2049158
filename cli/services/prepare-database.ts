import { maskUrl } from '../../infra/mask-secrets.ts';
import { migrate } from '../../infra/postgres/migrate.ts';
import { signIn } from '../../infra/services/postgres-server.ts';
import { ThawError } from '../../schemas/errors.ts';

/**
 * Brings a database to this program's tables.
 * @throws WORLD_POSTGRES_UNAVAILABLE when it cannot be reached, or does not let this user in or change its tables
 */
export async function prepareDatabase(url: string): Promise<void> {
  try {
    await signIn(url);
    await migrate(url);
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    const reason = message === '' ? code : message;
    throw new ThawError('WORLD_POSTGRES_UNAVAILABLE', `The database ${maskUrl(url)} cannot be used: ${reason}`, {
      cause: error,
    });
  }
}
