import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { ThawError } from '../schemas/errors.ts';
import {
  maskOutside,
  outsideEnvironment,
  outsideSettings,
  outsideVariables,
  type OutsideSettings,
} from './configuration/outside.ts';
import { pythonEnvironment, pythonSettings, pythonVariables, type PythonSettings } from './configuration/python.ts';
import {
  serviceEnvironment,
  serviceSettings,
  serviceVariables,
  type ServiceSettings,
} from './configuration/services.ts';
import { workerEnvironment, workerSettings, workerVariables, type WorkerSettings } from './configuration/workers.ts';
import { maskUrl } from './mask-secrets.ts';

/** Of paths on Linux, and more than any URL needs. */
const VALUE_LENGTH_MAX = 4096;

/** Every variable we read. Relative paths count from the current folder, and are absolute ever after. */
const variablesSchema = z.strictObject({
  ...serviceVariables,
  ...pythonVariables,
  ...workerVariables,
  ...outsideVariables,
});

export interface Configuration extends ServiceSettings, PythonSettings, WorkerSettings, OutsideSettings {}

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
  return {
    ...serviceSettings(variables),
    ...pythonSettings(variables),
    ...workerSettings(variables),
    ...outsideSettings(variables),
  };
}

/** The variables that make `readConfiguration` return this configuration again, for a process we start. */
export function environmentFromConfiguration(configuration: Configuration): Record<string, string> {
  return {
    ...serviceEnvironment(configuration),
    ...pythonEnvironment(configuration),
    ...workerEnvironment(configuration),
    ...outsideEnvironment(configuration),
  };
}

/** The same configuration with secrets replaced by `***`, fit to be printed. */
export function maskConfiguration(configuration: Configuration): Configuration {
  const { databaseUrl } = configuration;
  return {
    ...configuration,
    ...maskOutside(configuration),
    databaseUrl: databaseUrl === null ? null : maskUrl(databaseUrl),
  };
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
