import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { placeOnce } from './place-once.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'thaw-place-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('placeOnce', () => {
  it('leaves one whole folder when several make it at once', async () => {
    const target = path.join(folder, 'deep/target');
    const make = (name: string) =>
      placeOnce(target, async (temporary) => {
        await mkdir(temporary);
        for (const part of ['one', 'two']) await writeFile(path.join(temporary, part), name);
      });
    await Promise.all(['a', 'b', 'c'].map(make));
    const parts = await Promise.all(['one', 'two'].map((part) => readFile(path.join(target, part), 'utf8')));
    expect(new Set(parts).size).toBe(1);
    expect(await readdir(path.dirname(target))).toEqual(['target']);
  });

  it('leaves nothing when making it fails', async () => {
    const target = path.join(folder, 'target');
    const making = placeOnce(target, async (temporary) => {
      await writeFile(temporary, 'half');
      throw new Error('no space');
    });
    await expect(making).rejects.toThrow('no space');
    expect(await readdir(folder)).toEqual([]);
  });
});
