import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredFile } from './artifact-store.ts';
import { createFolderStore } from './folder-store.ts';

const CONTENT = new TextEncoder().encode('weights');
const NOW = { untouchedSinceMs: Infinity };
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'thaw-artifacts-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const fileOf = (hash: string): string => path.join(folder, hash.slice(0, 2), hash);

async function listed(): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for await (const file of createFolderStore(folder).list()) files.push(file);
  return files;
}

describe('a folder of artifacts', () => {
  it('gives back what was stored, under the name of its content', async () => {
    const store = createFolderStore(folder);
    const { hash, bytes } = await store.write(CONTENT);
    expect(bytes).toBe(CONTENT.length);
    expect(new Uint8Array(await store.read(hash))).toEqual(CONTENT);
    expect(await store.flawOf(hash)).toBeNull();
  });

  it('stores equal content once, also when two write at once, and leaves nothing half-written', async () => {
    const store = createFolderStore(folder);
    const written = await Promise.all([store.write(CONTENT), store.write(CONTENT.slice())]);
    expect(written[0]).toEqual(written[1]);
    expect(await readdir(path.join(folder, written[0].hash.slice(0, 2)))).toEqual([written[0].hash]);
  });

  it('knows no file outside of the folder', async () => {
    const store = createFolderStore(folder);
    for (const name of ['../../etc/passwd', '..', '', `../${'a'.repeat(64)}`, `${'a'.repeat(64)}\n`]) {
      await expect(store.read(name)).rejects.toMatchObject({ code: 'DEFECT_INVARIANT' });
      await expect(store.flawOf(name)).rejects.toMatchObject({ code: 'DEFECT_INVARIANT' });
      await expect(store.remove(name, NOW)).rejects.toMatchObject({ code: 'DEFECT_INVARIANT' });
    }
  });

  it('forgets what is removed, also twice', async () => {
    const store = createFolderStore(folder);
    const { hash } = await store.write(CONTENT);
    expect([await store.remove(hash, NOW), await store.remove(hash, NOW)]).toEqual([true, false]);
    await expect(store.read(hash)).rejects.toMatchObject({ code: 'WORLD_DISK' });
  });

  it('[P09] says which artifact is missing or damaged, and how', async () => {
    const store = createFolderStore(folder);
    const { hash } = await store.write(CONTENT);
    await writeFile(fileOf(hash), 'WEIGHTS');
    await expect(store.read(hash)).rejects.toMatchObject({
      code: 'WORLD_DISK',
      message: expect.stringContaining(`${hash} of ${folder} is damaged`),
    });
    const missing = 'ff'.repeat(32);
    await expect(store.read(missing)).rejects.toMatchObject({ code: 'WORLD_DISK' });
    expect([await store.flawOf(hash), await store.flawOf(missing)]).toEqual([
      expect.stringMatching(`is damaged: its ${CONTENT.length} bytes have the hash [0-9a-f]{64}`),
      'is missing',
    ]);
  });

  it.each([
    ['cut short', CONTENT.subarray(0, 3)],
    ['altered in one byte', CONTENT.with(2, 0)],
    ['emptied', new Uint8Array()],
  ])('replaces a file that was %s when the same content is written again', async (_, damaged) => {
    const store = createFolderStore(folder);
    const { hash } = await store.write(CONTENT);
    await writeFile(fileOf(hash), damaged);
    await store.write(CONTENT);
    expect(new Uint8Array(await readFile(fileOf(hash)))).toEqual(CONTENT);
  });

  it('that is away as a whole is no folder of missing artifacts', async () => {
    const store = createFolderStore(path.join(folder, 'not-mounted'));
    await expect(store.flawOf('ff'.repeat(32))).rejects.toMatchObject({
      code: 'WORLD_DISK',
      message: expect.stringContaining('not-mounted'),
    });
  });

  it('keeps what was written since a moment, also as the same bytes', async () => {
    const store = createFolderStore(folder);
    const { hash } = await store.write(CONTENT);
    await utimes(fileOf(hash), new Date(0), new Date(0));
    const moment = Date.now();
    await store.write(CONTENT);
    expect(await store.remove(hash, { untouchedSinceMs: moment })).toBe(false);
    expect(new Uint8Array(await store.read(hash))).toEqual(CONTENT);
  });

  it('has what was written, whatever is deleted at the same time by a look of before', async () => {
    const store = createFolderStore(folder);
    const { hash } = await store.write(CONTENT);
    const removed: boolean[] = [];
    for (let time = 0; time < 200; time += 1) {
      await utimes(fileOf(hash), new Date(0), new Date(0));
      const remove = () => store.remove(hash, { untouchedSinceMs: moment });
      const moment = Date.now();
      // The writer comes in at any step of the deletion.
      const first = remove();
      for (let turn = 0; turn < time % 10; turn += 1) await nextTurn();
      const second = store.write(CONTENT);
      const both = await Promise.all([first, second]);
      removed.push(both.find((result) => typeof result === 'boolean')!);
      expect(await store.flawOf(hash)).toBeNull();
    }
    expect(new Set(removed)).toEqual(new Set([true, false]));
  });

  it('lists artifacts and what writes have left, and nothing else', async () => {
    const store = createFolderStore(folder);
    const { hash } = await store.write(CONTENT);
    const subfolder = path.dirname(fileOf(hash));
    for (const ending of ['.1.partial', '.damaged']) await writeFile(`${fileOf(hash)}${ending}`, 'x');
    await writeFile(path.join(subfolder, 'README'), 'of somebody else');
    await mkdir(path.join(folder, 'other'));
    const files = await listed();
    expect(files.map((file) => file.hash)).toEqual([hash, null, null]);
    for (const file of files.filter((each) => each.hash === null)) await store.removeLeftOver(file);
    expect((await readdir(subfolder)).sort()).toEqual([hash, 'README'].sort());
  });

  it('has a file again whose deletion was cut short', async () => {
    const store = createFolderStore(folder);
    const { hash } = await store.write(CONTENT);
    await rename(fileOf(hash), `${fileOf(hash)}.1.removed`);
    expect(await listed()).toEqual([]);
    // The time of the renaming, which is what counts, cannot be set: it is shown with a clock that is ahead.
    const { now } = Date;
    Date.now = () => now() + 3_600_000;
    try {
      expect((await listed()).map((file) => file.hash)).toEqual([hash]);
    } finally {
      Date.now = now;
    }
    expect(await store.flawOf(hash)).toBeNull();
  });
});
