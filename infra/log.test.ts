import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
