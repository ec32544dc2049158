import path from 'node:path';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { createChildPool, type ChildPool, type ChildPoolOptions } from '../../infra/children/child-pool.ts';
import { buildFolder } from '../../infra/installation.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';

const IDLE_MS = 60_000;

/** Training processes as a worker starts them, and what its activities need beside them. */
export interface Computing {
  readonly children: ChildPool;
  dependenciesOn(database: Database): ActivityDependencies;
  /** Ends the processes; the environment is what it was. */
  stop(): Promise<void>;
}

/** @param artifacts the folder in which the processes find and leave artifacts; their environment tells them */
export function startComputing(artifacts: string, options: ChildPoolOptions = {}): Computing {
  const before = process.env['THAW_ARTIFACTS'];
  process.env['THAW_ARTIFACTS'] = artifacts;
  const children = createChildPool(path.join(buildFolder(), 'cli/training-child.js'), IDLE_MS, options);
  return {
    children,
    dependenciesOn: (database) => ({
      database,
      artifacts: createFolderStore(artifacts),
      children,
      registries: DEFAULT_REGISTRIES,
      worker: 'w',
      fingerprint: () => ({ node: 'this one' }),
      programVersion: '0',
      clock: () => performance.now(),
    }),
    async stop() {
      if (before === undefined) delete process.env['THAW_ARTIFACTS'];
      else process.env['THAW_ARTIFACTS'] = before;
      await children.close();
    },
  };
}
