import { existsSync } from 'node:fs';
import { withLock } from './lock.mjs';
import { runStep } from './run-step.mjs';
import path from 'node:path';

/** Where distributions put it. */
const CHROMIUM = '/usr/bin/chromium';

/**
 * Installs the browser in which the page is tested, unless it is there. Only root of a Debian can without further ado; for others, and
 * where it fails, the tests name the command.
 *
 * @param {string} root
 * @param {(message: string) => void} onProgress
 */
export async function ensureBrowser(root, onProgress) {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version') || existsSync(CHROMIUM)) return;
  await withLock(path.join(root, 'dist', 'setup.lock'), async () => {
    if (existsSync(CHROMIUM)) return;
    onProgress('Installing Chromium, in which the page is tested, with apt-get');
    const install = ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'];
    const options = { cwd: root, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
    // The lists of packages may be missing or old: then they are fetched, and it is tried once more.
    if ((await runStep('apt-get', install, options)).isSuccess) return;
    await runStep('apt-get', ['update'], options);
    const { isSuccess, output } = await runStep('apt-get', install, options);
    if (!isSuccess) onProgress(`Chromium could not be installed: ${output.split('\n').at(-1)}`);
  });
}
