import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { installationRoot } from '../../infra/installation.ts';

const execute = promisify(execFile);

/** Versions that there are ready-made packages for. */
const VERSIONS = 'from 3.10 to 3.13';
/** What the tests of the gate read with, and what those of `check:slow` train, track and simulate with. */
const REQUIREMENTS = {
  gate: 'python-requirements.txt',
  slow: 'python-requirements-slow.txt',
  trackers: 'python-requirements-trackers.txt',
  physics: 'python-requirements-physics.txt',
} as const;
type Kind = keyof typeof REQUIREMENTS;
const LOCK_POLL_MS = 200;
/** Nobody takes so long to make it: whoever holds the lock longer was killed. */
const LOCK_MS = 1_800_000;

/** A Python with the packages of `python-requirements.txt`. */
export interface PythonEnvironment {
  /** Path of its interpreter. */
  readonly interpreter: string;
  /** Runs a program given as text. @returns what it printed @throws what it complained about */
  run(program: string, args?: readonly string[], env?: Record<string, string>): Promise<string>;
}

/**
 * A Python environment of the tests: it is made once, under `node_modules/.cache`, and found again as long as the
 * requirements and the interpreter stay the same. `THAW_PYTHON` names the interpreter, else it is `python3`.
 *
 * @throws what to install when there is no Python
 */
export async function pythonEnvironment(kind: Kind = 'gate'): Promise<PythonEnvironment> {
  const requirements = path.join(installationRoot(), 'test/support', REQUIREMENTS[kind]);
  const interpreter = process.env['THAW_PYTHON'] ?? 'python3';
  const version = await versionOf(interpreter);
  const hash = createHash('sha256').update(readFileSync(requirements)).update(version).digest('hex').slice(0, 16);
  const folder = path.join(installationRoot(), 'node_modules/.cache/thaw-python', hash);
  if (!existsSync(folder)) await locked(`${folder}.lock`, () => make(interpreter, folder, requirements));
  const python = path.join(folder, 'bin/python');
  return {
    interpreter: python,
    async run(program, args = [], env = {}) {
      const { PATH = '', HOME = '' } = process.env;
      // Compiled when it is first used, and nothing beside our own sources.
      const cache = { PYTHONPYCACHEPREFIX: path.join(folder, 'pycache') };
      const options = { env: { PATH, HOME, ...cache, ...env }, maxBuffer: 2 ** 28 };
      const { stdout } = await execute(python, ['-c', program, ...args], options);
      return stdout;
    },
  };
}

async function versionOf(interpreter: string): Promise<string> {
  const program = 'import sys, venv, ensurepip; print(sys.version, sys.executable)';
  const { stdout } = await execute(interpreter, ['-c', program]).catch((error: Error) => {
    throw new Error(
      `Exports are read by real Python here, and ${interpreter} cannot make an environment: ${error.message}\n` +
        `Install it: \`apt-get install -y python3 python3-venv\` as root on Debian, else Python ${VERSIONS} from python.org; ` +
        'THAW_PYTHON names another interpreter.',
    );
  });
  return stdout;
}

/** A venv knows where it lies, so it is made in its place; that it is whole is said by its name, which it gets last. */
async function make(interpreter: string, folder: string, requirements: string): Promise<void> {
  if (existsSync(folder)) return;
  await rm(`${folder}.partial`, { recursive: true, force: true });
  await execute(interpreter, ['-m', 'venv', `${folder}.partial`]);
  // The gate's list is whole, and small: it is compiled as it is used. Of the others' packages some want more of the machine's
  // kind, and trainers, which write nothing beside them, would compile PyTorch at every start.
  const whole = requirements.endsWith(REQUIREMENTS.gate) ? ['--no-deps', '--no-compile'] : [];
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...whole];
  await execute(path.join(`${folder}.partial`, 'bin/python'), [...install, '-r', requirements]).catch(
    (error: Error) => {
      throw new Error(`The packages of ${requirements} cannot be installed (Python ${VERSIONS}): ${error.message}`);
    },
  );
  // Its programs name the old place; `bin/python -m` is all that is used of it.
  await rename(`${folder}.partial`, folder);
}

async function locked(lock: string, work: () => Promise<void>): Promise<void> {
  await mkdir(path.dirname(lock), { recursive: true });
  for (;;) {
    const handle = await open(lock, 'wx').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return null;
    });
    if (handle !== null) {
      await handle.close();
      break;
    }
    const held = await stat(lock).catch(() => null);
    if (held !== null && Date.now() - held.mtimeMs > LOCK_MS) await rm(lock, { force: true });
    await delay(LOCK_POLL_MS);
  }
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
}
