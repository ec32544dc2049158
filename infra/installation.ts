import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ThawError } from '../schemas/errors.ts';

/**
 * The root folder of this installation: the nearest folder above this file whose package.json is ours. It is searched and not
 * counted from here, because the same code runs from `infra/` in tests and from `dist/` once built.
 */
export function installationRoot(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (folder !== path.dirname(folder)) {
    if (isOurPackage(path.join(folder, 'package.json'))) return folder;
    folder = path.dirname(folder);
  }
  throw new ThawError('DEFECT_INVARIANT', `No package.json of Thaw above ${fileURLToPath(import.meta.url)}.`);
}

/**
 * The build this code runs from, `dist/builds/HASH`, or the newest one when it runs from its sources. A process starts its children
 * from here and not from `dist/cli`, which leads to another build as soon as one is made. Its last part names the build.
 *
 * @throws an ENOENT error when nothing is built
 */
export function buildFolder(): string {
  const root = installationRoot();
  const builds = path.join(realpathSync(root), 'dist', 'builds') + path.sep;
  const here = realpathSync(fileURLToPath(import.meta.url));
  if (here.startsWith(builds)) return builds + here.slice(builds.length).split(path.sep)[0]!;
  return realpathSync(path.join(root, 'dist', 'current'));
}

function isOurPackage(file: string): boolean {
  if (!existsSync(file)) return false;
  return (JSON.parse(readFileSync(file, 'utf8')) as { name?: string }).name === 'thaw';
}
