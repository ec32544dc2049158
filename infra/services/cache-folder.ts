import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/**
 * The folder of what can be fetched again: the user's cache, shared by all installations, so that a second clone need not fetch;
 * or the home's own `cache` where the user has none that is writable.
 */
export function cacheFolder(env: NodeJS.ProcessEnv, home: string): string {
  const shared = path.join(env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'thaw');
  try {
    mkdirSync(shared, { recursive: true });
    accessSync(shared, constants.W_OK);
    return shared;
  } catch {
    return path.join(home, 'cache');
  }
}
