import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { mkdir, rename, rm, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';

const SOURCE_FOLDERS = [
  'cli',
  'web',
  'workflows',
  'activities',
  'specification',
  'learning',
  'simulators',
  'infra',
  'schemas',
];
/** What `dist` shows of the current build, under names that stay. */
const SHOWN = ['cli', 'workflows', 'page'];
const BUILDS_KEPT = 20;
const KEPT_MS = 7 * 24 * 3600 * 1000;

/**
 * `dist/builds/HASH` holds one build, named after its sources and never changed or moved once it is there: a process that runs
 * goes on loading the files it began with, and starts its children from them, whatever is built meanwhile. `dist/current` points
 * to the newest, and `dist/cli`, `dist/workflows` lead through it.
 *
 * @param {string} root
 */
export function buildPlaces(root) {
  const dist = path.join(root, 'dist');
  return { dist, builds: path.join(dist, 'builds'), current: path.join(dist, 'current') };
}

/**
 * Hash of everything a build is made of.
 *
 * @param {string} root
 */
export function sourceHash(root) {
  const hash = createHash('sha256').update(readFileSync(path.join(root, 'package-lock.json')));
  for (const file of SOURCE_FOLDERS.flatMap((folder) => filesBelow(path.join(root, folder))).sort()) {
    hash.update(`${path.relative(root, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * The name of the build that `dist/current` points to, or null.
 *
 * @param {string} root
 */
export function currentBuild(root) {
  const { current } = buildPlaces(root);
  return existsSync(path.join(current, 'cli')) ? path.basename(readlinkSync(current)) : null;
}

/**
 * Makes a build the current one. A link is put in place by renaming, so that there is one at every moment.
 *
 * @param {string} root
 * @param {string} name
 */
export async function pointTo(root, name) {
  const { dist, builds } = buildPlaces(root);
  const now = new Date();
  await utimes(path.join(builds, name), now, now);
  await placeLink(path.join('builds', name), path.join(dist, 'current'));
  for (const shown of SHOWN) await placeLink(path.join('current', shown), path.join(dist, shown));
  await removeOldBuilds(root);
}

/**
 * @param {string} target
 * @param {string} link
 */
async function placeLink(target, link) {
  const temporary = `${link}.${process.pid}.partial`;
  await mkdir(path.dirname(link), { recursive: true });
  await rm(temporary, { force: true });
  await symlink(target, temporary);
  try {
    await rename(temporary, link);
  } catch (error) {
    // A real folder from before there were links.
    if (!['EISDIR', 'ENOTEMPTY', 'EEXIST'].includes(String(/** @type {NodeJS.ErrnoException} */ (error).code)))
      throw error;
    await rm(link, { recursive: true });
    await rename(temporary, link);
  }
}

/**
 * Removes builds that are neither among the newest nor young: no process runs them any more.
 *
 * @param {string} root
 */
async function removeOldBuilds(root) {
  const { builds } = buildPlaces(root);
  const ages = readdirSync(builds).map((name) => ({
    name,
    ageMs: Date.now() - statSync(path.join(builds, name)).mtimeMs,
  }));
  const old = ages
    .sort((a, b) => a.ageMs - b.ageMs)
    .slice(BUILDS_KEPT)
    .filter(({ ageMs }) => ageMs > KEPT_MS);
  for (const { name } of old) await rm(path.join(builds, name), { recursive: true, force: true });
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}
