import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSpecText, SPEC_BYTES_MAX } from './read-spec-text.ts';
import { FILES_MAX, readSpecFiles } from './spec-files.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), 'thaw-text-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const place = (name: string) => path.join(folder, name);
const written = (name: string, content: string | Uint8Array) => {
  writeFileSync(place(name), content);
  return place(name);
};

/** What stands there, how it is made, and what must be said of it. */
const UNREADABLE: readonly (readonly [what: string, make: () => string, found: RegExp])[] = [
  ['nothing', () => place('missing.json'), /no such file/],
  ['a file as a folder', () => path.join(written('file', '{}'), 'inner.json'), /no such file/],
  ['a folder', () => (mkdirSync(place('folder'), { recursive: true }), place('folder')), /a folder/],
  ['a device without an end', () => '/dev/zero', /neither a file nor a pipe/],
  ['a link to itself', () => (symlinkSync('loop', place('loop')), place('loop')), /link/],
  ['an empty file', () => written('empty', ''), /an empty file/],
  ['something else than text', () => written('binary', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1])), /no text/],
  ['text in UTF-16', () => written('utf16', Buffer.from('\uFEFF{"name": "x"}', 'utf16le')), /no text/],
  ['text in Latin-1', () => written('latin', Buffer.from('{"name": "é"}', 'latin1')), /no UTF-8/],
  [
    'more than may be read',
    () => (truncateSync(written('large', ''), SPEC_BYTES_MAX + 1), place('large')),
    /a file of 16\.0 MiB/,
  ],
  ['a name with a zero', () => 'a\u0000b', /a name that no file has/],
];

describe('a file of an experiment', () => {
  it.each(UNREADABLE)(
    'with %s is refused with what was found, what was expected, and a remedy',
    async (_what, make, found) => {
      const read = await readSpecText(make());
      expect(read).toMatchObject({ ok: false, problem: { code: 'REQUEST_FILE_UNREADABLE' } });
      if (read.ok) return;
      expect(read.problem.found).toMatch(found);
      expect(read.problem.expected).toContain('JSON');
      expect(read.problem.remedy).toMatch(/^[A-Z].*\.$/);
    },
  );

  it('may be a pipe, as `<(command)` is', async () => {
    execFileSync('mkfifo', [place('pipe')]);
    const writing = writeFile(place('pipe'), '{"a": 1}');
    const reading = readSpecText(place('pipe'));
    await writing;
    expect(await reading).toEqual({ ok: true, text: '{"a": 1}' });
  });

  it('may be as large as the limit, and begin with a byte order mark', async () => {
    const text = `\uFEFF"${'x'.repeat(SPEC_BYTES_MAX - 5)}"`;
    expect(Buffer.byteLength(text)).toBe(SPEC_BYTES_MAX);
    expect(await readSpecText(written('limit', text))).toEqual({ ok: true, text });
  });

  it('is one of no more than a command takes', async () => {
    const files = Array.from({ length: FILES_MAX + 1 }, () => place('missing.json'));
    await expect(readSpecFiles(files, [])).rejects.toMatchObject({ code: 'REQUEST_BAD_ARGUMENT' });
    expect(await readSpecFiles(files.slice(1), [])).toHaveLength(FILES_MAX);
  });
});
