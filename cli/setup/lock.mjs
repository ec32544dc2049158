import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 100;
const HEARTBEAT_MS = 2_000;
/** A lock whose holder gave no sign for this long is stale, wherever its holder lived. */
const STALE_MS = 60_000;

/**
 * Runs `work` while no other process of this installation does. The lock is a folder, since making one succeeds for one process
 * only; the holder touches it while it works. A lock whose holder was killed is taken away.
 *
 * @template T
 * @param {string} folder path of the lock
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(folder, work) {
  await mkdir(path.dirname(folder), { recursive: true });
  const token = randomUUID();
  while (!(await take(folder, token))) {
    await removeIfStale(folder);
    await delay(POLL_MS);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(folder, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder
 * @param {string} token
 */
async function take(folder, token) {
  try {
    await mkdir(folder);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
  await writeFile(path.join(folder, 'holder.json'), JSON.stringify({ pid: process.pid, host: hostname(), token }));
  return true;
}

/**
 * Takes a stale lock away by renaming, which succeeds for one process only. If another one did so and took the lock anew between
 * our look and our renaming, we hold a fresh lock in hand: it is put back.
 *
 * @param {string} folder
 */
async function removeIfStale(folder) {
  const seen = await readHolder(folder);
  if (!(await isStale(folder, seen))) return;
  const aside = `${folder}.${randomUUID()}`;
  try {
    await rename(folder, aside);
    const taken = await readHolder(aside);
    if (taken?.token === seen?.token) await rm(aside, { recursive: true, force: true });
    else await rename(aside, folder);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
  }
}

/**
 * @param {string} folder
 * @param {{ pid: number, host: string } | null} holder null for a holder that is just writing its name, or was killed before it did
 */
async function isStale(folder, holder) {
  const touchedMs = await stat(folder).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );
  if (Date.now() - touchedMs > STALE_MS) return true;
  return holder !== null && holder.host === hostname() && !isAlive(holder.pid);
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * @param {string} folder
 * @returns {Promise<{ pid: number, host: string, token: string } | null>}
 */
async function readHolder(folder) {
  try {
    return JSON.parse(await readFile(path.join(folder, 'holder.json'), 'utf8'));
  } catch {
    return null;
  }
}
