import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { withLock } from './lock.mjs';
import { runStep, setupErrorFromOutput } from './run-step.mjs';

/**
 * Installs the packages of package-lock.json unless they are there.
 *
 * @param {string} root
 * @param {(message: string) => void} onProgress
 */
export async function ensurePackages(root, onProgress) {
  if (areInstalled(root)) return;
  await withLock(path.join(root, 'dist', 'setup.lock'), async () => {
    if (areInstalled(root)) return;
    onProgress('Installing packages, which takes about half a minute');
    const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
    const { isSuccess, output } = await runStep('npm', args, { cwd: root });
    if (!isSuccess) throw setupErrorFromOutput(`Installing the packages (\`npm ci\` in ${root})`, output);
  });
}

/**
 * Whether node_modules holds what the lock names. npm writes its own list there as the last thing of an installation, so one that
 * was interrupted is not taken for one that is done, and one made by hand is recognised. Optional packages may be absent: most
 * belong to other platforms.
 *
 * @param {string} root
 */
function areInstalled(root) {
  const listFile = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(listFile)) return false;
  const wanted = readPackages(path.join(root, 'package-lock.json'));
  const installed = readPackages(listFile);
  return Object.entries(wanted).every(
    ([place, { version, optional, link }]) =>
      place === '' || optional === true || link === true || installed[place]?.version === version,
  );
}

/**
 * @param {string} file
 * @returns {Record<string, { version: string, optional?: boolean, link?: boolean }>}
 */
function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}
