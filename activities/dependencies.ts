import type { ArtifactStore } from '../infra/artifacts/artifact-store.ts';
import type { ChildPool } from '../infra/children/child-pool.ts';
import type { Database } from '../infra/postgres/database.ts';
import type { Registries } from '../specification/registries.ts';

/** What activities need of the world; built once by whoever starts a worker. */
export interface ActivityDependencies {
  readonly database: Database;
  readonly artifacts: ArtifactStore;
  readonly children: ChildPool;
  readonly registries: Registries;
  /** Names this worker in attempts. */
  readonly worker: string;
  readonly fingerprint: Readonly<Record<string, string>>;
  readonly programVersion: string;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
}
