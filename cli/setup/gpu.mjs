import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { withLock } from './lock.mjs';
import { runStep, SetupError, setupErrorFromOutput } from './run-step.mjs';

const PACKAGE = '@tensorflow/tfjs-node-gpu';
/** What the package is built against where its own download cannot be had. The larger one can use a GPU. */
const WHEEL = { gpu: 'tensorflow==2.15.1', processor: 'tensorflow-cpu==2.15.1' };
/** The youngest Python that has these wheels; they are only unpacked, so the Python that fetches them may be another. */
const WHEEL_OF = ['--only-binary=:all:', '--python-version', '3.11', '--platform', 'manylinux_2_17_x86_64'];
const LIBRARIES = { tensorflow_cc: 'tensorflow', tensorflow_framework: 'tensorflow_framework' };
const UNPACK = `
import sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
for name in wheel.namelist():
    if name.startswith('tensorflow/include/') or name.startswith('tensorflow/libtensorflow_'):
        wheel.extract(name, sys.argv[2])
`;

/**
 * Installs the package with which `device: "cuda"` computes, unless it is there: 300 MB of packages, and TensorFlow's library,
 * 250 MB and more. The package fetches the library itself; where its host cannot be reached, the library of a Python wheel takes
 * its place, and the binding is built against it.
 *
 * @param {string} root
 * @param {(message: string) => void} onProgress
 */
export async function ensureGpu(root, onProgress) {
  if (hasBinding(root)) return;
  await withLock(path.join(root, 'dist', 'setup.lock'), async () => {
    if (hasBinding(root)) return;
    await installPackage(root, onProgress);
    onProgress("Fetching TensorFlow's library for Node");
    await npm(root, ['rebuild', '--ignore-scripts=false', PACKAGE]);
    if (hasBinding(root)) return;
    onProgress('Its own host does not answer; it is built against a Python wheel instead');
    await useWheel(root, onProgress);
    await build(root);
  });
}

/**
 * A folder of its own: among the packages of the lock, npm would install others anew, and remove it the next time.
 *
 * @param {string} root
 */
function gpuFolder(root) {
  return path.join(root, 'dist', 'gpu');
}

/** @param {string} root */
function packageFolder(root) {
  return path.join(gpuFolder(root), 'node_modules', PACKAGE);
}

/** @param {string} root */
function hasBinding(root) {
  const built = path.join(packageFolder(root), 'lib');
  if (!existsSync(built)) return false;
  return readdirSync(built).some((folder) => existsSync(path.join(built, folder, 'tfjs_binding.node')));
}

/**
 * @param {string} root
 * @param {(message: string) => void} onProgress
 */
async function installPackage(root, onProgress) {
  if (existsSync(packageFolder(root))) return;
  const { peerDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const wanted = `${PACKAGE}@${peerDependencies[PACKAGE]}`;
  onProgress(`Installing ${wanted}`);
  await mkdir(gpuFolder(root), { recursive: true });
  const { isSuccess, output } = await npm(root, ['install', '--ignore-scripts', '--no-save', wanted]);
  if (!isSuccess) throw setupErrorFromOutput(`Installing ${wanted}`, output);
}

/**
 * @param {string} root
 * @param {string[]} args
 */
function npm(root, args) {
  const place = ['--prefix', gpuFolder(root)];
  return runStep('npm', [...args, ...place, '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root });
}

/**
 * Puts library and headers where the package looks for those that it fetches.
 *
 * @param {string} root
 * @param {(message: string) => void} onProgress
 */
async function useWheel(root, onProgress) {
  const python = process.env['THAW_PYTHON'] ?? 'python3';
  const wanted = existsSync('/proc/driver/nvidia/version') ? WHEEL.gpu : WHEEL.processor;
  const folder = await mkdtemp(path.join(gpuFolder(root), 'wheel-'));
  try {
    onProgress(`Fetching ${wanted}`);
    const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', ...WHEEL_OF, '--dest', folder, wanted];
    await step(root, `Fetching ${wanted} with ${python} (THAW_PYTHON names another)`, python, pip);
    const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
    if (wheel === undefined) throw new SetupError(`pip brought no wheel of ${wanted}.`, 'Run the same command again.');
    await step(root, `Unpacking ${wheel}`, python, ['-c', UNPACK, path.join(folder, wheel), folder]);
    await placeLibrary(path.join(folder, 'tensorflow'), path.join(packageFolder(root), 'deps'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} unpacked
 * @param {string} target
 */
async function placeLibrary(unpacked, target) {
  await rm(target, { recursive: true, force: true });
  await mkdir(path.join(target, 'lib'), { recursive: true });
  await rename(path.join(unpacked, 'include'), path.join(target, 'include'));
  for (const [name, linked] of Object.entries(LIBRARIES)) {
    const file = `lib${name}.so.2`;
    await rename(path.join(unpacked, file), path.join(target, 'lib', file));
    await symlink(file, path.join(target, 'lib', `lib${linked}.so`));
  }
}

/** @param {string} root */
async function build(root) {
  const tool = path.join(gpuFolder(root), 'node_modules/@mapbox/node-pre-gyp/bin/node-pre-gyp');
  const prefix = path.dirname(path.dirname(process.execPath));
  // Headers that came with Node spare their download, which is from yet another host.
  const headers = existsSync(path.join(prefix, 'include/node/node_api.h')) ? [`--nodedir=${prefix}`] : [];
  const args = [tool, 'install', '--build-from-source', ...headers];
  await step(packageFolder(root), `Building ${PACKAGE} (which needs make and g++)`, process.execPath, args);
}

/**
 * @param {string} cwd
 * @param {string} what
 * @param {string} command
 * @param {string[]} args
 */
async function step(cwd, what, command, args) {
  const { isSuccess, output } = await runStep(command, args, { cwd });
  if (!isSuccess) throw setupErrorFromOutput(what, output);
}
