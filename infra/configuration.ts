import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { ThawError } from '../schemas/errors.ts';
import { mirrorUrlSchema, webhookUrlSchema } from '../schemas/webhook-url.ts';
import { installationRoot } from './installation.ts';
import { placeOf } from './webhook.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/** Of paths on Linux, and more than any URL needs. */
const VALUE_LENGTH_MAX = 4096;

const PORT_MAX = 65_535;
const ENVIRONMENT_PATIENCE_S = 60;

const absolutePath = z.string().transform((value) => path.resolve(value));
const urlOf = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `expected a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

/** Fit for a header of a request. */
const headerText = z.string().regex(/^[\x20-\x7e]+$/, { error: 'expected printable ASCII' });

/** Every variable we read. Relative paths count from the current folder, and are absolute ever after. */
const variablesSchema = z.strictObject({
  THAW_HOME: absolutePath.optional(),
  THAW_DATABASE_URL: urlOf('postgres:', 'postgresql:').optional(),
  THAW_TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^\s/]+:\d+$/, { error: 'expected host:port' })
    .optional(),
  THAW_TEMPORAL_NAMESPACE: z.string().optional(),
  THAW_TEMPORAL_BINARY: absolutePath.optional(),
  THAW_ARTIFACTS: absolutePath.optional(),
  THAW_PYTHON: z.string().optional(),
  THAW_ENVIRONMENT_PATIENCE_S: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, { error: 'expected a whole number of seconds' })
    .optional(),
  THAW_PEER_JAX_PYTHON: z.string().optional(),
  THAW_PEER_TORCH_PYTHON: z.string().optional(),
  THAW_LOG_LEVEL: z.enum(LOG_LEVELS).optional(),
  THAW_WORKER_MEMORY_MIB: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, { error: 'expected a whole number of MiB' })
    .optional(),
  THAW_CONTROL_GROUP: absolutePath.optional(),
  THAW_WEBHOOK_URL: webhookUrlSchema.optional(),
  THAW_WEBHOOK_SECRET: z.string().min(16, { error: 'expected at least 16 characters' }).optional(),
  THAW_MLFLOW_URL: mirrorUrlSchema.optional(),
  THAW_MLFLOW_TOKEN: headerText.optional(),
  THAW_MLFLOW_USERNAME: headerText.optional(),
  THAW_MLFLOW_PASSWORD: headerText.optional(),
  THAW_METRICS_PORT: z
    .string()
    .refine((value) => /^[1-9]\d{0,4}$/.test(value) && Number(value) <= PORT_MAX, { error: 'expected a port' })
    .optional(),
  THAW_METRICS_HOST: z.string().optional(),
  THAW_UI_TOKEN: z
    .string()
    .regex(/^[\w.~-]{16,}$/, { error: 'expected at least 16 letters, digits or any of . _ ~ -' })
    .optional(),
});

export interface Configuration {
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
  /** Python interpreter, used to fetch the Temporal CLI and to talk to bridged worlds. */
  readonly python: string;
  /** How long an environment in Python may take for its start, a step or a reset, in seconds. */
  readonly environmentPatienceS: number;
  /** Interpreters that benchmarks run other systems with; `python` where nothing is said. */
  readonly jaxPeerPython: string;
  readonly torchPeerPython: string;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Memory for all training processes of a worker together; null for 90 % of what the machine has. */
  readonly workerMemoryMib: number | null;
  /** Folder of a control group that workers may divide among their training processes; null for none. */
  readonly controlGroup: string | null;
  /** What opens the page beyond this machine; null to make one up at every start. */
  readonly uiToken: string | null;
  /** Told when an experiment of this installation ends; null for nobody but whom an experiment itself names. */
  readonly webhookUrl: string | null;
  /** What notices are signed with; null for no signature. */
  readonly webhookSecret: string | null;
  /** The tracking server of MLflow that the credentials below are for: they are sent to no other. */
  readonly mlflowUrl: string | null;
  /** A bearer token; it goes before a name and a password. */
  readonly mlflowToken: string | null;
  readonly mlflowUsername: string | null;
  readonly mlflowPassword: string | null;
  /** Where a worker tells its metrics; null for nowhere. */
  readonly metricsPort: number | null;
  readonly metricsHost: string;
}

/**
 * Reads the environment once; empty variables count as unset.
 *
 * Without THAW_HOME the home is `.thaw` in the installation's root folder if that is writable, else `~/.thaw`: so two
 * checkouts on one machine never share a supervisor, and an installation owned by root still serves everybody.
 *
 * @throws REQUEST_BAD_ARGUMENT naming every unknown or malformed THAW_ variable at once
 */
export function readConfiguration(env: NodeJS.ProcessEnv): Configuration {
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => name.startsWith('THAW_') && value !== '' && value !== undefined),
  );
  const parsed = variablesSchema.safeParse(given);
  if (!parsed.success) throw badVariables(parsed.error);
  refuseLongValues(given);
  const variables = parsed.data;
  refuseUnplacedCredentials(variables);
  const home = variables.THAW_HOME ?? defaultHome();
  return {
    home,
    databaseUrl: variables.THAW_DATABASE_URL ?? null,
    temporalAddress: variables.THAW_TEMPORAL_ADDRESS ?? null,
    temporalNamespace: variables.THAW_TEMPORAL_NAMESPACE ?? 'default',
    temporalBinary: variables.THAW_TEMPORAL_BINARY ?? null,
    artifacts: variables.THAW_ARTIFACTS ?? path.join(home, 'artifacts'),
    python: variables.THAW_PYTHON ?? 'python3',
    environmentPatienceS: Number(variables.THAW_ENVIRONMENT_PATIENCE_S ?? ENVIRONMENT_PATIENCE_S),
    jaxPeerPython: variables.THAW_PEER_JAX_PYTHON ?? variables.THAW_PYTHON ?? 'python3',
    torchPeerPython: variables.THAW_PEER_TORCH_PYTHON ?? variables.THAW_PYTHON ?? 'python3',
    logLevel: variables.THAW_LOG_LEVEL ?? 'info',
    workerMemoryMib: variables.THAW_WORKER_MEMORY_MIB === undefined ? null : Number(variables.THAW_WORKER_MEMORY_MIB),
    controlGroup: variables.THAW_CONTROL_GROUP ?? null,
    uiToken: variables.THAW_UI_TOKEN ?? null,
    webhookUrl: variables.THAW_WEBHOOK_URL ?? null,
    webhookSecret: variables.THAW_WEBHOOK_SECRET ?? null,
    mlflowUrl: variables.THAW_MLFLOW_URL ?? null,
    mlflowToken: variables.THAW_MLFLOW_TOKEN ?? null,
    mlflowUsername: variables.THAW_MLFLOW_USERNAME ?? null,
    mlflowPassword: variables.THAW_MLFLOW_PASSWORD ?? null,
    metricsPort: variables.THAW_METRICS_PORT === undefined ? null : Number(variables.THAW_METRICS_PORT),
    metricsHost: variables.THAW_METRICS_HOST ?? '127.0.0.1',
  };
}

/** The variables that make `readConfiguration` return this configuration again, for a process we start. */
export function environmentFromConfiguration(configuration: Configuration): Record<string, string> {
  const { databaseUrl, temporalAddress, temporalBinary, workerMemoryMib, controlGroup, uiToken } = configuration;
  return {
    THAW_HOME: configuration.home,
    THAW_DATABASE_URL: databaseUrl ?? '',
    THAW_TEMPORAL_ADDRESS: temporalAddress ?? '',
    THAW_TEMPORAL_NAMESPACE: configuration.temporalNamespace,
    THAW_TEMPORAL_BINARY: temporalBinary ?? '',
    THAW_ARTIFACTS: configuration.artifacts,
    THAW_PYTHON: configuration.python,
    THAW_ENVIRONMENT_PATIENCE_S: String(configuration.environmentPatienceS),
    THAW_PEER_JAX_PYTHON: configuration.jaxPeerPython,
    THAW_PEER_TORCH_PYTHON: configuration.torchPeerPython,
    THAW_LOG_LEVEL: configuration.logLevel,
    THAW_WORKER_MEMORY_MIB: workerMemoryMib === null ? '' : String(workerMemoryMib),
    THAW_CONTROL_GROUP: controlGroup ?? '',
    THAW_UI_TOKEN: uiToken ?? '',
    THAW_WEBHOOK_URL: configuration.webhookUrl ?? '',
    THAW_WEBHOOK_SECRET: configuration.webhookSecret ?? '',
    THAW_MLFLOW_URL: configuration.mlflowUrl ?? '',
    THAW_MLFLOW_TOKEN: configuration.mlflowToken ?? '',
    THAW_MLFLOW_USERNAME: configuration.mlflowUsername ?? '',
    THAW_MLFLOW_PASSWORD: configuration.mlflowPassword ?? '',
    THAW_METRICS_PORT: configuration.metricsPort === null ? '' : String(configuration.metricsPort),
    THAW_METRICS_HOST: configuration.metricsHost,
  };
}

/** The same configuration with secrets replaced by `***`, fit to be printed. */
export function maskConfiguration(configuration: Configuration): Configuration {
  const { databaseUrl, uiToken, webhookUrl, webhookSecret, mlflowToken, mlflowPassword } = configuration;
  return {
    ...configuration,
    databaseUrl: databaseUrl === null ? null : maskUrl(databaseUrl),
    uiToken: uiToken === null ? null : '***',
    // The path of such an address is often the secret itself.
    webhookUrl: webhookUrl === null ? null : `${placeOf(webhookUrl)}/***`,
    webhookSecret: webhookSecret === null ? null : '***',
    mlflowToken: mlflowToken === null ? null : '***',
    mlflowPassword: mlflowPassword === null ? null : '***',
  };
}

/** A URL without its password, wherever Postgres accepts one: before the host or among the parameters. */
export function maskUrl(text: string): string {
  const url = new URL(text);
  if (url.password !== '') url.password = '***';
  for (const name of [...url.searchParams.keys()]) {
    if (/password|key/i.test(name)) url.searchParams.set(name, '***');
  }
  return url.href;
}

const URL_PASSWORD = /(\bpostgres(?:ql)?:\/\/[^\s:@/"]*):[^\s"/?#]*@/g;
const PASSWORD_PARAMETER = /([?&][\w.]*(?:password|key)[\w.]*=)[^&\s"]*/gi;

/** Any text without the passwords of the Postgres URLs in it: for what is logged or told of errors, whoever wrote them. */
export function maskSecrets(text: string): string {
  return text.replace(URL_PASSWORD, '$1:***@').replace(PASSWORD_PARAMETER, '$1***');
}

function refuseLongValues(given: NodeJS.ProcessEnv): void {
  const long = Object.keys(given).filter((name) => given[name]!.length > VALUE_LENGTH_MAX);
  if (long.length === 0) return;
  throw new ThawError(
    'REQUEST_BAD_ARGUMENT',
    `The environment is wrong. ${long.join(', ')}: expected at most ${VALUE_LENGTH_MAX} characters.`,
    { remedy: 'Correct or unset the variables named.' },
  );
}

/** Credentials are for one server: without its address they would be for whatever a spec names. */
function refuseUnplacedCredentials(variables: z.output<typeof variablesSchema>): void {
  const given = (['THAW_MLFLOW_TOKEN', 'THAW_MLFLOW_USERNAME', 'THAW_MLFLOW_PASSWORD'] as const).filter(
    (name) => variables[name] !== undefined,
  );
  if (given.length === 0 || variables.THAW_MLFLOW_URL !== undefined) return;
  throw new ThawError('REQUEST_BAD_ARGUMENT', `The environment is wrong. ${given.join(', ')}: for which server?`, {
    remedy: 'Set THAW_MLFLOW_URL to the address as `execution.mirrors` has it: they are sent to no other.',
  });
}

function badVariables(error: z.ZodError): ThawError {
  const problems = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map(unknownVariable)
      : [`${issue.path.join('.')}: ${issue.message}`],
  );
  return new ThawError('REQUEST_BAD_ARGUMENT', `The environment is wrong. ${problems.join('; ')}.`, {
    details: { problems },
    remedy: 'Correct or unset the variables named.',
  });
}

function unknownVariable(name: string): string {
  const nearest = closest(name, Object.keys(variablesSchema.shape));
  const isNear = distance(name, nearest) <= Math.ceil(name.length / 3);
  return `${name} is not a variable of Thaw${isNear ? `; did you mean ${nearest}?` : ''}`;
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
