import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from './log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'thaw-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('writes lines of its level and above at once, into a folder it makes', () => {
  const file = path.join(folder, 'logs/a.log');
  const log = createLog({ level: 'warn', name: 'test', file });
  log.info('quiet');
  log.warn({ runs: 3 }, 'loud');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({ name: 'test', msg: 'loud', runs: 3 });
});

it('writes no password of a database, wherever it stands', () => {
  const file = path.join(folder, 'a.log');
  const log = createLog({ level: 'info', name: 'test', file });
  const url = 'postgres://me:tr0ub4dor@host/thaw';
  log.error({ err: new Error(`no way to ${url}`, { cause: new Error(url) }), options: { url } }, `lost ${url}`);
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain('tr0ub4dor');
  expect(JSON.parse(text)).toMatchObject({ msg: 'lost postgres://me:***@host/thaw' });
});

it('writes a file that other users cannot read', () => {
  const file = path.join(folder, 'a.log');
  createLog({ level: 'info', name: 'test', file }).info('x');
  expect(statSync(file).mode & 0o077).toBe(0);
});
