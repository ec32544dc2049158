import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { memoryBudget } from '../../infra/children/memory-budget.ts';
import { memoryEnforcement } from '../../infra/children/memory-enforcement.ts';
import type { Configuration } from '../../infra/configuration.ts';
import { type Device, executorOn, usableDevices } from '../../infra/executors.ts';
import { postgresAccount } from '../../infra/services/account.ts';
import { cacheFolder } from '../../infra/services/cache-folder.ts';
import { findPostgresBinaries } from '../../infra/services/postgres-binaries.ts';
import { SHARED_FOLDER } from '../../infra/services/postgres-data.ts';
import { signIn } from '../../infra/services/postgres-server.ts';
import { supervisorStatus } from '../../infra/services/supervisor-client.ts';
import { findTemporalBinary } from '../../infra/services/temporal-binary.ts';
import { describeNamespace } from '../../infra/services/temporal-server.ts';
import { isThawError } from '../../schemas/errors.ts';
import { describePython } from './describe-python.ts';
import { programFile } from '../program-version.ts';

/** What became of looking at one component. */
export interface Finding {
  readonly component: string;
  readonly isOk: boolean;
  /** What is there, or what is wrong. */
  readonly detail: string;
  /** What to do; only where something is wrong. */
  readonly remedy?: string;
}

interface Check {
  readonly component: string;
  /** Says what is there; throws when the component cannot be used. */
  readonly look: () => Promise<string>;
  readonly remedy: string;
}

const FREE_MIB_MIN = 1024;
const MIB = 2 ** 20;

/** Looks at every component that Thaw needs. One that fails does not keep the others from being looked at. */
export async function checkInstallation(
  configuration: Configuration,
  onProgress: (message: string) => void,
): Promise<Finding[]> {
  const checks = [...machineChecks(configuration), ...serviceChecks(configuration, onProgress)];
  return Promise.all(checks.map(look));
}

async function look({ component, look: find, remedy }: Check): Promise<Finding> {
  try {
    return { component, isOk: true, detail: await find() };
  } catch (error) {
    const own = isThawError(error) ? error.remedy : remedy;
    return { component, isOk: false, detail: (error as Error).message, remedy: own };
  }
}

function machineChecks({ home, artifacts, workerMemoryMib, controlGroup, python }: Configuration): Check[] {
  return [
    {
      component: 'build',
      look: async () => {
        const bundle = path.join(path.dirname(path.dirname(programFile())), 'workflows/bundle.js');
        if (!existsSync(bundle)) throw new Error(`${bundle} does not exist`);
        return programFile();
      },
      remedy: 'Run `npm run build`.',
    },
    {
      component: 'home',
      look: () => describeFolder(home),
      remedy: 'Make it writable or free some space, or set THAW_HOME to another folder.',
    },
    {
      component: 'artifacts',
      look: () => describeFolder(artifacts),
      remedy: 'Make it writable or free some space, or set THAW_ARTIFACTS to another folder.',
    },
    {
      component: 'memory',
      look: async () => {
        const { limitMib } = memoryBudget(workerMemoryMib);
        return `${limitMib} MiB for the training processes of a worker; limits: ${memoryEnforcement(controlGroup).description}`;
      },
      remedy: 'Set THAW_WORKER_MEMORY_MIB, or unset THAW_CONTROL_GROUP.',
    },
    {
      component: 'environments',
      look: () => describePython(python),
      remedy: 'Install Python, or set THAW_PYTHON.',
    },
    {
      component: 'onnx runtime',
      look: () => describeExecutor('cpu'),
      remedy: 'Run `npm ci` again; the package onnxruntime-node brings its own libraries.',
    },
    {
      component: 'cuda',
      look: async () =>
        usableDevices().includes('cuda')
          ? describeExecutor('cuda')
          : 'not installed, and only `execution.device: "cuda"` needs it; `node cli/launch.mjs --setup gpu` installs it',
      remedy: 'Run `node cli/launch.mjs --setup gpu` again after removing dist/gpu.',
    },
  ];
}

/** The folder, or the nearest above it that exists, must be writable. */
async function describeFolder(folder: string): Promise<string> {
  let place = folder;
  while (!existsSync(place) && place !== path.dirname(place)) place = path.dirname(place);
  await access(place, constants.W_OK);
  const { bavail, bsize } = await statfs(place);
  const freeMib = Math.floor((bavail * bsize) / MIB);
  if (freeMib < FREE_MIB_MIN) throw new Error(`${folder} has only ${freeMib} MiB free`);
  return `${folder}, ${freeMib} MiB free`;
}

/** Computes something, because a library that loads need not run on this processor. */
async function describeExecutor(device: Device): Promise<string> {
  const { graphFromOutputs } = await import('../../learning/graph/graph.ts');
  const { add, input } = await import('../../learning/graph/operators.ts');
  const executor = await executorOn(device);
  const x = input('x', [1]);
  const compiled = await executor.compile(graphFromOutputs({ y: add(x, x) }));
  const y = new Float32Array(1);
  await compiled.run({ x: Float32Array.of(1) }, { y });
  await compiled.release();
  if (y[0] !== 2) throw new Error(`1 + 1 gives ${y[0]}`);
  return `${executor.name} ${executor.version}`;
}

function serviceChecks(configuration: Configuration, onProgress: (message: string) => void): Check[] {
  const { databaseUrl, temporalAddress, temporalNamespace } = configuration;
  return [
    {
      component: 'postgres',
      look: () => (databaseUrl === null ? describePostgresBinaries(configuration) : describeDatabase(databaseUrl)),
      remedy: 'Check THAW_DATABASE_URL, and that the server runs and lets this user in.',
    },
    {
      component: 'temporal',
      look: async () => {
        if (temporalAddress === null) return describeTemporalBinary(configuration, onProgress);
        await describeNamespace(temporalAddress, temporalNamespace);
        return `external at ${temporalAddress}, namespace ${temporalNamespace}`;
      },
      remedy: 'Check THAW_TEMPORAL_ADDRESS and THAW_TEMPORAL_NAMESPACE, and that the server runs.',
    },
    {
      component: 'services',
      look: async () => {
        const status = await supervisorStatus(configuration);
        if (status === null) return 'not running; they start when a verb needs them';
        const down = status.services.filter(({ pid }) => pid === null).map(({ name }) => name);
        if (down.length > 0) throw new Error(`${down.join(', ')} is being started again`);
        return `${status.phase}: ${status.services.map(({ name }) => name).join(', ')}`;
      },
      remedy: `See the logs in ${path.join(configuration.home, 'logs')}.`,
    },
  ];
}

async function describeDatabase(url: string): Promise<string> {
  await signIn(url);
  return 'external, signed in';
}

async function describePostgresBinaries({ home }: Configuration): Promise<string> {
  const account = postgresAccount();
  const copies = account === null ? cacheFolder(process.env, home) : SHARED_FOLDER;
  const { version, folder } = await findPostgresBinaries({ account, copies });
  return `embedded ${version}${account === null ? '' : ` as user ${account.name}`}, ${folder}`;
}

async function describeTemporalBinary(
  { home, python, temporalBinary }: Configuration,
  onProgress: (message: string) => void,
): Promise<string> {
  const cache = cacheFolder(process.env, home);
  const searchPath = process.env['PATH'] ?? '';
  const binary = await findTemporalBinary({ configured: temporalBinary, searchPath, cache, python, onProgress });
  return `embedded ${binary.version} from ${binary.origin}, ${binary.path}`;
}
