import { z } from 'zod';
import { absolutePath, type Variables } from './values.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
const PORT_MAX = 65_535;

/** What workers may take, and what they tell of themselves. */
export interface WorkerSettings {
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Memory for all training processes of a worker together; null for 90 % of what the machine has. */
  readonly workerMemoryMib: number | null;
  /** Folder of a control group that workers may divide among their training processes; null for none. */
  readonly controlGroup: string | null;
  /** Where a worker tells its metrics; null for nowhere. */
  readonly metricsPort: number | null;
  readonly metricsHost: string;
}

export const workerVariables = {
  THAW_LOG_LEVEL: z.enum(LOG_LEVELS).optional(),
  THAW_WORKER_MEMORY_MIB: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, { error: 'expected a whole number of MiB' })
    .optional(),
  THAW_CONTROL_GROUP: absolutePath.optional(),
  THAW_METRICS_PORT: z
    .string()
    .refine((value) => /^[1-9]\d{0,4}$/.test(value) && Number(value) <= PORT_MAX, { error: 'expected a port' })
    .optional(),
  THAW_METRICS_HOST: z.string().optional(),
};

export function workerSettings(variables: Variables<typeof workerVariables>): WorkerSettings {
  return {
    logLevel: variables.THAW_LOG_LEVEL ?? 'info',
    workerMemoryMib: numberOf(variables.THAW_WORKER_MEMORY_MIB),
    controlGroup: variables.THAW_CONTROL_GROUP ?? null,
    metricsPort: numberOf(variables.THAW_METRICS_PORT),
    metricsHost: variables.THAW_METRICS_HOST ?? '127.0.0.1',
  };
}

export function workerEnvironment(settings: WorkerSettings): Record<keyof typeof workerVariables, string> {
  return {
    THAW_LOG_LEVEL: settings.logLevel,
    THAW_WORKER_MEMORY_MIB: settings.workerMemoryMib?.toString() ?? '',
    THAW_CONTROL_GROUP: settings.controlGroup ?? '',
    THAW_METRICS_PORT: settings.metricsPort?.toString() ?? '',
    THAW_METRICS_HOST: settings.metricsHost,
  };
}

const numberOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text));
