import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { installationRoot } from '../installation.ts';
import { absolutePath, urlOf, type Variables } from './values.ts';

/** Where everything is kept, and the services that keep it. */
export interface ServiceSettings {
  /** Folder of everything this installation keeps: data of the embedded services, logs, the supervisor's record. */
  readonly home: string;
  /** URL of an external Postgres; null means the embedded one. */
  readonly databaseUrl: string | null;
  /** host:port of an external Temporal server; null means the embedded one. */
  readonly temporalAddress: string | null;
  readonly temporalNamespace: string;
  /** Path of the Temporal CLI; null means to find or fetch one. */
  readonly temporalBinary: string | null;
  /** Folder of the artifacts: checkpoints, policies, trajectories. */
  readonly artifacts: string;
}

export const serviceVariables = {
  THAW_HOME: absolutePath.optional(),
  THAW_DATABASE_URL: urlOf('postgres:', 'postgresql:').optional(),
  THAW_TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^\s/]+:\d+$/, { error: 'expected host:port' })
    .optional(),
  THAW_TEMPORAL_NAMESPACE: z.string().optional(),
  THAW_TEMPORAL_BINARY: absolutePath.optional(),
  THAW_ARTIFACTS: absolutePath.optional(),
};

export function serviceSettings(variables: Variables<typeof serviceVariables>): ServiceSettings {
  const home = variables.THAW_HOME ?? defaultHome();
  return {
    home,
    databaseUrl: variables.THAW_DATABASE_URL ?? null,
    temporalAddress: variables.THAW_TEMPORAL_ADDRESS ?? null,
    temporalNamespace: variables.THAW_TEMPORAL_NAMESPACE ?? 'default',
    temporalBinary: variables.THAW_TEMPORAL_BINARY ?? null,
    artifacts: variables.THAW_ARTIFACTS ?? path.join(home, 'artifacts'),
  };
}

export function serviceEnvironment(settings: ServiceSettings): Record<keyof typeof serviceVariables, string> {
  return {
    THAW_HOME: settings.home,
    THAW_DATABASE_URL: settings.databaseUrl ?? '',
    THAW_TEMPORAL_ADDRESS: settings.temporalAddress ?? '',
    THAW_TEMPORAL_NAMESPACE: settings.temporalNamespace,
    THAW_TEMPORAL_BINARY: settings.temporalBinary ?? '',
    THAW_ARTIFACTS: settings.artifacts,
  };
}

function defaultHome(): string {
  const root = installationRoot();
  try {
    accessSync(root, constants.W_OK);
    return path.join(root, '.thaw');
  } catch {
    return path.join(homedir(), '.thaw');
  }
}
