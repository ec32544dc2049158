import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LogRecord, readWandbLog, valuesOf } from '../../test/support/wandb-log-reader.ts';
import { createCrc32 } from './crc32.ts';
import { logFrom } from './wandb-log.ts';
import { axisRecords, exitRecord, headRecord, historyRecord, runRecord, summaryRecord } from './wandb-records.ts';

const ID = 'abcd1234';
/** What the client of Weights & Biases wrote of the run below; `test/golden/wandb-offline.py` had it do so. */
const GOLDEN = readWandbLog(gunzipSync(readFileSync('test/golden/wandb-offline.wandb.gz')));

const OURS = readWandbLog(
  logFrom([
    headRecord('thaw', ID),
    runRecord({
      id: ID,
      project: 'demo',
      group: 'pool',
      name: 'pool/0',
      notes: 'a note',
      tags: ['thaw', 'demo-1'],
      config: { seed: 0, algorithm: { name: 'ippo' }, long: 'x'.repeat(70_000) },
      startedAt: new Date(1_700_000_000_250),
    }),
    ...axisRecords('env_steps', ID),
    historyRecord(0, { env_steps: 0, 'scores/heldout_return': -29.5, odd: NaN, endless: -Infinity }, ID),
    historyRecord(1, { env_steps: 100, 'scores/heldout_return': -20.25 }, ID),
    summaryRecord({ 'scores/heldout_return': -20.25, state: 'SUCCEEDED' }, ID),
    exitRecord(0, 12.4, ID),
  ]),
);

/** What a run was told, without what the client adds: clocks, and words about itself. */
const ownOf = (items: Parameters<typeof valuesOf>[0]) =>
  Object.fromEntries(Object.entries(valuesOf(items)).filter(([key]) => !key.startsWith('_')));

const only = <Part extends keyof LogRecord>(records: readonly LogRecord[], part: Part) =>
  records.flatMap((record) => (record[part] === undefined ? [] : [record[part]]));

describe('the log of an offline run', () => {
  it('has checksums as zlib computes them', () => {
    // The check value of the usual catalogues of CRCs.
    expect(createCrc32(0xedb88320)(Buffer.from('123456789'))).toBe(0xcbf43926);
  });

  it('says of the run what the client says', () => {
    const [theirs] = only(GOLDEN, 'run');
    const [ours] = only(OURS, 'run');
    const comparable = ({ config, start_time: _, ...rest }: NonNullable<LogRecord['run']>) => {
      return { ...rest, settings: ownOf(config.update) };
    };
    expect(comparable(ours!)).toEqual(comparable(theirs!));
    expect(ours!['start_time']).toEqual({ seconds: 1_700_000_000, nanos: 250_000_000 });
    expect(only(OURS, 'header')[0]!.version_info.min_consumer).toBe(
      only(GOLDEN, 'header')[0]!.version_info.min_consumer,
    );
  });

  it('says the same of every step and of the axis, for every record of the same run', () => {
    const stepsOf = (records: readonly LogRecord[]) =>
      only(records, 'history').map(({ item, step }) => {
        return { step: step.num ?? 0, numbers: ownOf(item) };
      });
    expect(stepsOf(OURS)).toEqual(stepsOf(GOLDEN));
    expect(stepsOf(OURS)).toHaveLength(2);
    expect(only(OURS, 'metric')).toEqual(only(GOLDEN, 'metric'));
    expect(new Set(OURS.map(({ _info }) => _info?.stream_id))).toEqual(new Set([ID]));
    expect(valuesOf(only(OURS, 'summary')[0]!.update)).toEqual({
      'scores/heldout_return': -20.25,
      state: 'SUCCEEDED',
    });
    expect(only(OURS, 'exit')).toHaveLength(only(GOLDEN, 'exit').length);
  });

  it('holds records of every length, wherever a block ends', () => {
    const length = fc.oneof(fc.integer({ min: 32_600, max: 32_800 }), fc.integer({ min: 1, max: 100_000 }));
    fc.assert(
      fc.property(fc.array(length, { minLength: 1, maxLength: 5 }), (lengths) => {
        const records = lengths.map((each) => summaryRecord({ long: 'x'.repeat(each) }, ID));
        const read = readWandbLog(logFrom(records));
        const told = read.map(({ summary }) => (valuesOf(summary!.update)['long'] as string).length);
        expect(told).toEqual(lengths);
      }),
      { numRuns: 60 },
    );
  });
});
