import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limitLog, logSize, readLogTail } from './log-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'thaw-log-file-'));
  file = path.join(folder, 'a.log');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('readLogTail', () => {
  it('holds the last lines, and none from before the offset', () => {
    expect(readLogTail(file)).toBe('');
    writeFileSync(file, 'before\n');
    const offset = logSize(file);
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    appendFileSync(file, `${lines.join('\n')}\n`);
    const tail = readLogTail(file, offset).split('\n');
    expect(tail).toEqual(lines.slice(-tail.length));
    expect(tail.length).toBeGreaterThan(5);
    expect(readLogTail(file, logSize(file))).toBe('');
  });
});

describe('limitLog', () => {
  it('cuts a log under the hands of its writer, and keeps what was written', () => {
    const writer = openSync(file, 'a');
    writeSync(writer, 'old\n');
    limitLog(file, logSize(file));
    expect(readFileSync(file, 'utf8')).toBe('old\n');
    limitLog(file, logSize(file) - 1);
    writeSync(writer, 'new\n');
    closeSync(writer);
    expect(readFileSync(file, 'utf8')).toBe('new\n');
    expect(readFileSync(`${file}.1`, 'utf8')).toBe('old\n');
  });
});
