import type { EnvironmentBridge, EnvironmentDescription } from '../../simulators/bridged/bridge.ts';
import type { ErrorCode } from '../../schemas/error-catalogue.ts';
import { isThawError, ThawError } from '../../schemas/errors.ts';
import { DescriptionCache } from './description-cache.ts';
import { descriptionSchema } from './description.ts';
import { OPERATION, PythonProcess, refused } from './python-process.ts';
import { PythonBatch } from './remote-batch.ts';

/** Where environments of Python are asked. */
export interface PythonBridgeOptions {
  readonly python: string;
  /** How long one environment may take for its start, a step or a reset. */
  readonly patienceS: number;
  /** Folder in which descriptions are kept from one command to the next. */
  readonly cache: string;
}

export interface PythonBridge extends EnvironmentBridge {
  /** Of the Python process that answers now; null while there is none. */
  readonly processId: number | null;
  /** Ends that process, for whoever does not end soon. */
  end(): void;
}

/**
 * A bridge to environments in Python. Every thread that uses one has a Python process of its own, started when it is
 * first needed, and again after it has died.
 * @param options asked when they are first needed, because reading the configuration may fail
 */
export function createPythonBridge(options: () => PythonBridgeOptions): PythonBridge {
  let process: PythonProcess | null = null;
  const described = new Map<string, EnvironmentDescription | ThawError>();
  const living = (): PythonProcess => {
    if (process === null || !process.isAlive) process = start(options());
    return process;
  };
  return {
    describe(settings) {
      const key = JSON.stringify(settings);
      const known = described.get(key) ?? describe();
      described.set(key, known);
      if (known instanceof ThawError) throw known;
      return known;

      function describe(): EnvironmentDescription | ThawError {
        const cache = new DescriptionCache(options(), key);
        const kept = cache.read();
        if (kept !== null) return kept;
        try {
          const { files, ...description } = descriptionSchema.parse(living().ask(OPERATION.describe, 0, settings));
          cache.write(description, files);
          return description;
        } catch (error) {
          return refusalOf(error, settings.environment);
        }
      }
    },
    open: (settings, layout) => new PythonBatch(living(), settings, layout),
    get processId() {
      return process?.isAlive === true ? process.pid : null;
    },
    end() {
      process?.kill();
    },
  };
}

function start({ python, patienceS }: PythonBridgeOptions): PythonProcess {
  return new PythonProcess(python, patienceS);
}

/** What Python tells of an exception. */
interface EnvironmentFailure {
  readonly message: string;
  /** File and line. */
  readonly place: string;
  readonly remedy?: string;
}

const FAILURES: readonly ErrorCode[] = [
  'WORLD_ENVIRONMENT_FAILED',
  'WORLD_ENVIRONMENT_STALLED',
  'WORLD_ENVIRONMENT_LOST',
];

/** Whatever an environment does that is only tried is no failure of a run, but a reason not to start one. */
function refusalOf(error: unknown, environment: string): ThawError {
  if (!isThawError(error)) throw error;
  if (error.code === 'REQUEST_ENVIRONMENT_UNUSABLE') return error;
  if (!FAILURES.includes(error.code)) throw error;
  const { failure } = error.details as { failure?: EnvironmentFailure };
  const words = failure === undefined ? error.message : `${failure.message} (${failure.place})`;
  return refused({
    key: 'environment',
    found: `${environment}, which failed when it was tried: ${words.replaceAll(/\s+/g, ' ')}`,
    expected: 'an environment that can be made, reset and stepped',
    remedy: failure?.remedy ?? 'Mend what the message tells, or its `arguments` in family_options.',
  });
}
