import type { ArtifactStore } from '../infra/artifacts/artifact-store.ts';
import type { ChildPool } from '../infra/children/child-pool.ts';
import type { Device } from '../infra/executors.ts';
import type { Database } from '../infra/postgres/database.ts';
import type { AttemptObserver } from '../schemas/observed-attempt.ts';
import type { Registries } from '../specification/registries.ts';

/** What activities need of the world; built once by whoever starts a worker. */
export interface ActivityDependencies {
  readonly database: Database;
  readonly artifacts: ArtifactStore;
  readonly children: ChildPool;
  readonly registries: Registries;
  /** Names this worker in attempts. */
  readonly worker: string;
  /** What numbers that are computed on a device depend on here. @throws REQUEST_DEVICE_MISSING where it cannot be used */
  readonly fingerprint: (device: Device) => Readonly<Record<string, string>>;
  readonly programVersion: string;
  /** Who is told when any experiment is over, and what notices are signed with; absent for nobody. */
  readonly webhook?: { readonly url: string | null; readonly secret: string | null };
  /** Hears of what attempts do; absent where nobody counts. */
  readonly observer?: AttemptObserver;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
}
