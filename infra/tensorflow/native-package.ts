import { createRequire } from 'node:module';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ThawError } from '../../schemas/errors.ts';
import { installationRoot } from '../installation.ts';
import type { Tensorflow } from './kernels.ts';

/** TensorFlow.js with TensorFlow's own library, which can use a GPU. Hundreds of megabytes: installed on request only. */
const PACKAGE = '@tensorflow/tfjs-node-gpu';
const REMEDY = 'Run `node cli/launch.mjs --setup gpu` here, or run with `--set execution.device=cpu`.';

/**
 * Read by the library when it is loaded: one order of sums, as everywhere; memory of a GPU taken as it is needed and not all
 * at once, since several runs share it; and silence about what it finds.
 */
const VARIABLES = {
  TF_DETERMINISTIC_OPS: '1',
  TF_NUM_INTRAOP_THREADS: '1',
  TF_NUM_INTEROP_THREADS: '1',
  TF_FORCE_GPU_ALLOW_GROWTH: 'true',
  TF_CPP_MIN_LOG_LEVEL: '2',
};

/**
 * The version of the package that is installed with its library.
 * @throws REQUEST_DEVICE_MISSING where there is none
 */
export function nativeTensorflowVersion(root = installationRoot()): string {
  const description = readFileSync(path.join(installedFolder(root), 'package.json'), 'utf8');
  return (JSON.parse(description) as { version: string }).version;
}

/** @throws REQUEST_DEVICE_MISSING when the package is not installed, or cannot be loaded on this machine */
export function loadNativeTensorflow(root = installationRoot()): Tensorflow {
  const folder = installedFolder(root);
  for (const [name, value] of Object.entries(VARIABLES)) process.env[name] ??= value;
  try {
    return createRequire(import.meta.url)(folder) as Tensorflow;
  } catch (cause) {
    throw missing(`cannot be loaded: ${(cause as Error).message}`, cause);
  }
}

/** Where `--setup gpu` puts it, or where npm puts what is asked for by hand. */
function installedFolder(root: string): string {
  const places = ['dist/gpu/node_modules', 'node_modules'];
  const folder = places.map((place) => path.join(root, place, PACKAGE)).find(hasBinding);
  if (folder === undefined) throw missing('is not installed here (`node cli/launch.mjs --setup gpu` installs it)');
  return folder;
}

/** Without its library the package is of no use. */
function hasBinding(folder: string): boolean {
  const bindings = path.join(folder, 'lib');
  if (!existsSync(bindings)) return false;
  return readdirSync(bindings).some((name) => existsSync(path.join(bindings, name, 'tfjs_binding.node')));
}

function missing(why: string, cause?: unknown): ThawError {
  return new ThawError('REQUEST_DEVICE_MISSING', `The device "cuda" needs the package ${PACKAGE}, which ${why}.`, {
    remedy: REMEDY,
    cause,
  });
}
