import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSupervisorRecord, SupervisorRecordFile } from './supervisor-record.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'thaw-record-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('the record of a supervisor', () => {
  it('[P76] is replaced and never rewritten: whoever reads it meanwhile sees the one before, whole', () => {
    const record = new SupervisorRecordFile(home);
    const before = readSupervisorRecord(home);
    const reader = openSync(path.join(home, 'supervisor.json'), 'r');
    record.update({ isKept: true, ports: { postgres: 5432 } });
    expect(JSON.parse(readFileSync(reader, 'utf8'))).toEqual(before);
    closeSync(reader);
    expect(readSupervisorRecord(home)).toEqual({ ...before, isKept: true, ports: { postgres: 5432 } });
    expect(readdirSync(home).filter((name) => name.startsWith('supervisor'))).toEqual(['supervisor.json']);
  });

  it('is gone on with by the next one', () => {
    const first = new SupervisorRecordFile(home);
    first.setProcess('worker', { pid: 1, identity: 'boot:1', port: null, fingerprint: 'f' });
    expect(new SupervisorRecordFile(home).current).toEqual(first.current);
  });
});
