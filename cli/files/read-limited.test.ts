import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readLimited } from './read-limited.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'thaw-limited-'))));
afterEach(() => rmSync(folder, { recursive: true }));

it('reads a file whole that is as large as the limit, and none that is larger', async () => {
  const file = path.join(folder, 'a');
  const content = Buffer.alloc(3 * 2 ** 20, 'x');
  writeFileSync(file, content);
  expect((await readLimited(file, { bytesMax: content.length })).equals(content)).toBe(true);
  await expect(readLimited(file, { bytesMax: content.length - 1 })).rejects.toThrow('it has more than');
});

it('does not read without end', async () => {
  await expect(readLimited('/dev/zero', { bytesMax: 2 ** 21 })).rejects.toThrow('it has more than 2 MiB');
});

it('does not wait for a pipe where an ordinary file is asked for', async () => {
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await expect(readLimited(pipe, { bytesMax: 1, isPlain: true })).rejects.toThrow('it is no ordinary file');
  await expect(readLimited('/dev/zero', { bytesMax: 1, isPlain: true })).rejects.toThrow('it is no ordinary file');
});
