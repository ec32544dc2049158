import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ThawError } from '../../schemas/errors.ts';
import { type ExportManifest, MANIFEST_FILE, readExportManifest } from './export-manifest.ts';

/**
 * Makes a folder ready to be exported to: it is made where it is missing, and may hold an earlier export.
 *
 * @param options.force whether it may hold anything else
 * @returns what the earlier export wrote
 * @throws REQUEST_CONFLICT when it holds something else
 */
export async function prepareExportFolder(
  folder: string,
  { force }: { force: boolean },
): Promise<ExportManifest | null> {
  const names = await mkdir(folder, { recursive: true })
    .then(() => readdir(folder))
    .catch((error: Error) => {
      throw new ThawError('WORLD_DISK', `${folder} cannot be used: ${error.message}`, {
        cause: error,
        remedy: 'Name a folder that you may write to; it is made when it is not there.',
      });
    });
  const earlier = await readExportManifest(folder);
  if (earlier !== null || names.length === 0 || force) return earlier;
  throw new ThawError('REQUEST_CONFLICT', `${folder} holds files and is no export: it has no ${MANIFEST_FILE}.`, {
    remedy:
      'Name another folder, or say `--force` to write beside what is there; files of the same names are replaced.',
  });
}

/** Removes what an earlier export wrote and the new one did not: it would pass for a part of it. */
export async function removeStale(
  folder: string,
  earlier: ExportManifest | null,
  current: readonly { readonly file: string }[],
): Promise<void> {
  const kept = new Set(current.map(({ file }) => file));
  for (const { file } of earlier?.files ?? []) {
    // A manifest from elsewhere may hold anything, and must not name a file outside of the folder.
    const inside = path.relative(folder, path.resolve(folder, file));
    if (kept.has(file) || inside.startsWith('..') || path.isAbsolute(inside)) continue;
    await rm(path.join(folder, inside), { force: true });
  }
}
