#!/usr/bin/env node
/**
 * The `thaw` program as installed: makes sure that Node is new enough, that the packages are installed and that `dist` is
 * built from the present sources, and then becomes the real program. `--setup` only prepares, `--setup tests` also what tests
 * need, and `--setup gpu` what computing on a GPU needs. It knows no package, since none need be there, and says something only when a step takes long or fails.
 */
import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureBrowser } from './setup/browser.mjs';
import { buildPlaces, currentBuild, sourceHash } from './setup/builds.mjs';
import { withLock } from './setup/lock.mjs';
import { ensureGpu } from './setup/gpu.mjs';
import { ensurePackages } from './setup/packages.mjs';
import { SetupError, runStep, setupErrorFromOutput } from './setup/run-step.mjs';

/** The world failed, and not the request (see the exit codes of the command line). */
const EXIT_WORLD = 3;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const args = process.argv.slice(2);

if ((await prepare()) && args[0] !== '--setup') await runProgram();

/** @returns {Promise<boolean>} false after the reason was printed */
async function prepare() {
  try {
    checkNode();
    await ensurePackages(root, say);
    if (args[0] === '--setup' && args[1] === 'tests') await ensureBrowser(root, say);
    if (args[0] === '--setup' && args[1] === 'gpu') await ensureGpu(root, say);
    await ensureBuild();
    return true;
  } catch (error) {
    const { message } =
      error instanceof SetupError ? error : setupErrorFromOutput('Preparing the program', String(error));
    process.stderr.write(`thaw: ${message}\n`);
    process.exitCode = EXIT_WORLD;
    return false;
  }
}

function checkNode() {
  const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const [major, minor] = engines.node.replace('>=', '').split('.').map(Number);
  const [ourMajor, ourMinor] = process.versions.node.split('.').map(Number);
  if (ourMajor > major || (ourMajor === major && ourMinor >= minor)) return;
  throw new SetupError(
    `Node ${process.versions.node} is too old; Thaw needs ${engines.node}.`,
    'Install a newer Node (https://nodejs.org), and run the same command again.',
  );
}

async function ensureBuild() {
  if (currentBuild(root) === sourceHash(root)) return;
  await withLock(path.join(buildPlaces(root).dist, 'setup.lock'), async () => {
    if (currentBuild(root) === sourceHash(root)) return;
    say('Building');
    const { isSuccess, output } = await runStep(process.execPath, [path.join(root, 'cli/build.mjs')], { cwd: root });
    if (!isSuccess) throw setupErrorFromOutput('Building', output);
  });
}

/** Goes on in this very process: signals, terminal and exit code are the program's own. */
async function runProgram() {
  // The real path, and not the link: what the program loads and starts later belongs to the same build.
  const main = realpathSync(path.join(buildPlaces(root).current, 'cli/main.js'));
  process.argv = [process.argv[0], main, ...args];
  await import(pathToFileURL(main).href);
}

/** @param {string} message */
function say(message) {
  process.stderr.write(`thaw: ${message} …\n`);
}
