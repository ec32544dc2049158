import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolderStore } from './folder-store.ts';

const CONTENT = new TextEncoder().encode('weights');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'thaw-artifacts-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a folder of artifacts', () => {
  it('gives back what was stored, under the name of its content', async () => {
    const store = createFolderStore(folder);
    const { hash, bytes } = await store.write(CONTENT);
    expect(bytes).toBe(CONTENT.length);
    expect(new Uint8Array(await store.read(hash))).toEqual(CONTENT);
  });

  it('stores equal content once, also when two write at once, and leaves nothing half-written', async () => {
    const store = createFolderStore(folder);
    const written = await Promise.all([store.write(CONTENT), store.write(CONTENT.slice())]);
    expect(written[0]).toEqual(written[1]);
    expect(await readdir(path.join(folder, written[0].hash.slice(0, 2)))).toEqual([written[0].hash]);
  });

  it('forgets what is removed, also twice', async () => {
    const store = createFolderStore(folder);
    const { hash } = await store.write(CONTENT);
    await store.remove(hash);
    await store.remove(hash);
    await expect(store.read(hash)).rejects.toMatchObject({ code: 'WORLD_DISK' });
  });

  it('replaces a file that was cut short', async () => {
    const store = createFolderStore(folder);
    const { hash } = await store.write(CONTENT);
    const file = path.join(folder, hash.slice(0, 2), hash);
    await writeFile(file, CONTENT.subarray(0, 3));
    await store.write(CONTENT);
    expect(new Uint8Array(await readFile(file))).toEqual(CONTENT);
  });

  it('says which artifact is missing or damaged', async () => {
    const store = createFolderStore(folder);
    const { hash } = await store.write(CONTENT);
    await writeFile(path.join(folder, hash.slice(0, 2), hash), 'WEIGHTS');
    await expect(store.read(hash)).rejects.toMatchObject({
      code: 'WORLD_DISK',
      message: expect.stringContaining('damaged'),
    });
    await store.write(CONTENT);
    expect(new Uint8Array(await store.read(hash))).toEqual(CONTENT);
    await expect(store.read('ff'.repeat(32))).rejects.toMatchObject({ code: 'WORLD_DISK' });
  });
});
