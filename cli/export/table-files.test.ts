import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { momentText } from './cell-text.ts';
import { openCsv } from './csv.ts';
import { openJson } from './json.ts';
import { openParquet } from './parquet.ts';
import type { ExportedTable } from './table.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'thaw-formats-'));
afterAll(() => rmSync(folder, { recursive: true }));

const table: Pick<ExportedTable, 'name' | 'columns'> = {
  name: 'odd',
  columns: [
    { key: 'text', kind: 'text', about: '' },
    { key: 'value', kind: 'double', about: '' },
    { key: 'data', kind: 'json', about: '' },
    { key: 'at', kind: 'timestamp', about: '' },
  ],
};
/** Microseconds since 1970, with digits that milliseconds do not have. */
const AT = 1_700_000_000_123_456;
const rows = [
  { text: '', value: 0.1 + 0.2, data: [NaN, 1], at: AT },
  { text: '=1,"2"\r\n', value: NaN, data: null, at: null },
  { text: null, value: -0, data: {}, at: 0 },
  { text: 'x', value: null, data: 'y', at: AT },
];

describe('files of a table', () => {
  it('tell an empty text, a missing one, NaN and minus zero apart in CSV', async () => {
    const file = await openCsv(path.join(folder, 'odd.csv'), table);
    await file.write(rows.slice(0, 1));
    await file.write(rows.slice(1));
    const { bytes } = await file.finish();
    const text = readFileSync(path.join(folder, 'odd.csv'), 'utf8');
    expect(Buffer.byteLength(text)).toBe(bytes);
    const lines = [
      'text,value,data,at',
      '"",0.30000000000000004,"[""NaN"",1]",2023-11-14T22:13:20.123456Z',
      '"=1,""2""\r\n",NaN,,',
      ',-0.0,{},1970-01-01T00:00:00.000000Z',
      'x,,"""y""",2023-11-14T22:13:20.123456Z',
    ];
    expect(text).toBe(lines.map((line) => `${line}\r\n`).join(''));
  });

  it('are JSON, with and without rows', async () => {
    const file = await openJson(path.join(folder, 'odd.json'), table);
    for (const row of rows) await file.write([row]);
    await file.finish();
    const [first, second] = JSON.parse(readFileSync(path.join(folder, 'odd.json'), 'utf8')) as unknown[];
    expect(first).toEqual({ text: '', value: 0.1 + 0.2, data: ['NaN', 1], at: momentText(AT) });
    expect(second).toEqual({ text: '=1,"2"\r\n', value: 'NaN', data: null, at: null });
    const empty = await openJson(path.join(folder, 'empty.json'), table);
    await empty.finish();
    expect(JSON.parse(readFileSync(path.join(folder, 'empty.json'), 'utf8'))).toEqual([]);
  });

  it('leave nothing when they are given up', async () => {
    const before = readdirSync(folder);
    for (const open of [openCsv, openJson, openParquet]) {
      const file = await open(path.join(folder, 'given-up'), table);
      await file.write(rows);
      await file.abandon();
    }
    expect(readdirSync(folder)).toEqual(before);
  });
});
