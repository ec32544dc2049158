import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { processIdentity } from '../process-group.ts';

const OWN = /^round-(\d+)-/;

/**
 * A folder for one round of a trainer, which belongs to this process. Those of processes that are gone are removed first:
 * whoever is killed cannot tidy up.
 * @param parent of the folders of all processes of this machine
 */
export async function createWorkFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent)) {
    const owner = OWN.exec(name)?.[1];
    if (owner !== undefined && Number(owner) !== process.pid && processIdentity(Number(owner)) === null) {
      await removeWorkFolder(path.join(parent, name));
    }
  }
  return mkdtemp(path.join(parent, `round-${process.pid}-`));
}

export async function removeWorkFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
