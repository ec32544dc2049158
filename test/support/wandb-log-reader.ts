import protobuf from 'protobufjs';
import { createCrc32 } from '../../cli/export/crc32.ts';

// Reads the log of an offline run of Weights & Biases independently of how ours is written: the messages by their definition, of
// which this is the part that is looked at (wandb/proto/wandb_internal.proto), and the records as LevelDB's log has them.

const { root } = protobuf.parse(
  `
  syntax = "proto3";
  message Item { string key = 1; repeated string nested_key = 2; string value_json = 16; }
  message Config { repeated Item update = 1; }
  message Time { int64 seconds = 1; int32 nanos = 2; }
  message Run {
    string run_id = 1; string project = 3; Config config = 4; string run_group = 6; string display_name = 8; string notes = 9;
    repeated string tags = 10; Time start_time = 17;
  }
  message Step { int64 num = 1; }
  message History { repeated Item item = 1; Step step = 2; }
  message Summary { repeated Item update = 1; }
  message Options { bool step_sync = 1; bool hidden = 2; bool defined = 3; }
  message Metric { string name = 1; string glob_name = 2; string step_metric = 4; Options options = 6; }
  message Exit { int32 exit_code = 1; int32 runtime = 2; }
  message Version { string producer = 1; string min_consumer = 2; }
  message Header { Version version_info = 1; }
  message Info { string stream_id = 1; }
  message Record {
    int64 num = 1; History history = 2; Summary summary = 3; Metric metric = 12; Run run = 17; Exit exit = 18; Header header = 21;
    Info _info = 200;
  }
`,
  { keepCase: true },
);
const record = root.lookupType('Record');

const crc32 = createCrc32(0xedb88320);
const BLOCK_BYTES = 32_768;
const CHUNK_HEAD_BYTES = 7;

interface Item {
  readonly key?: string;
  readonly nested_key?: readonly string[];
  readonly value_json: string;
}

/** A message of the log, with what it holds alone. */
export interface LogRecord {
  readonly header?: { version_info: { min_consumer: string } };
  readonly run?: Record<string, unknown> & { config: { update: Item[] } };
  readonly history?: { item: Item[]; step: { num?: number } };
  readonly summary?: { update: Item[] };
  readonly metric?: Record<string, unknown>;
  readonly exit?: { exit_code?: number };
  readonly _info?: { stream_id: string };
}

/** All messages of a log. @throws where a checksum, a length or the order of the pieces is wrong */
export function readWandbLog(log: Buffer): LogRecord[] {
  if (!log.subarray(0, CHUNK_HEAD_BYTES).equals(Buffer.from(':W&B\xe1\xbe\x00', 'latin1'))) throw new Error('no head');
  const records: LogRecord[] = [];
  let pieces: Buffer[] = [];
  for (let offset = CHUNK_HEAD_BYTES; offset < log.length;) {
    const room = BLOCK_BYTES - (offset % BLOCK_BYTES);
    if (room < CHUNK_HEAD_BYTES) {
      offset += room;
      continue;
    }
    const length = log.readUInt16LE(offset + 4);
    const kind = log[offset + 6]!;
    const piece = log.subarray(offset + CHUNK_HEAD_BYTES, offset + CHUNK_HEAD_BYTES + length);
    if (piece.length !== length || length + CHUNK_HEAD_BYTES > room) throw new Error(`wrong length at ${offset}`);
    if (crc32(log.subarray(offset + 6, offset + CHUNK_HEAD_BYTES + length)) !== log.readUInt32LE(offset)) {
      throw new Error(`wrong checksum at ${offset}`);
    }
    // 1 whole, 2 first, 3 middle, 4 last.
    if ((kind === 1 || kind === 2) !== (pieces.length === 0)) throw new Error(`a piece out of order at ${offset}`);
    pieces.push(piece);
    if (kind === 1 || kind === 4) {
      const message = record.decode(Buffer.concat(pieces));
      records.push(record.toObject(message, { longs: Number }));
      pieces = [];
    }
    offset += CHUNK_HEAD_BYTES + length;
  }
  if (pieces.length > 0) throw new Error('the last record is not whole');
  return records;
}

/** Items as an object; numbers that are none as words. */
export function valuesOf(items: readonly Item[]): Record<string, unknown> {
  return Object.fromEntries(
    items.map(({ key, nested_key: nested, value_json: json }) => [
      key ?? nested!.join('.'),
      /^(NaN|-?Infinity)$/.test(json) ? json : (JSON.parse(json) as unknown),
    ]),
  );
}
