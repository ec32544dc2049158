import { existsSync, readFileSync } from 'node:fs';
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

function isOurPackage(file: string): boolean {
  if (!existsSync(file)) return false;
  return (JSON.parse(readFileSync(file, 'utf8')) as { name?: string }).name === 'thaw';
}
