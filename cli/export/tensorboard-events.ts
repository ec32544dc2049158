import protobuf from 'protobufjs/minimal.js';
import type { Scalar } from '../../learning/results/run-scalars.ts';
import { createCrc32 } from './crc32.ts';

// Event files of TensorBoard: records of TensorFlow's TFRecord format that hold Event messages. Three messages, written by hand.

/** The first record of every event file. */
export function versionRecord(wallTimeS: number): Uint8Array {
  const event = protobuf.Writer.create();
  event.uint32(tag(1, FIXED64)).double(wallTimeS);
  event.uint32(tag(3, BYTES)).string('brain.Event:2');
  return recordFrom(event.finish());
}

/**
 * A number; TensorBoard has 32 bits of it.
 *
 * Event: wall_time = 1, step = 2, summary = 5. Summary: value = 1. Value: tag = 1, simple_value = 2.
 */
export function scalarRecord({ tag: name, step, value, wallTimeS }: Omit<Scalar, 'round'>): Uint8Array {
  const event = protobuf.Writer.create();
  event.uint32(tag(1, FIXED64)).double(wallTimeS);
  event.uint32(tag(2, VARINT)).int64(step);
  event.uint32(tag(5, BYTES)).fork();
  event.uint32(tag(1, BYTES)).fork();
  event.uint32(tag(1, BYTES)).string(name);
  event.uint32(tag(2, FIXED32)).float(value);
  event.ldelim().ldelim();
  return recordFrom(event.finish());
}

/** A text in Markdown. */
export interface TextEvent {
  readonly tag: string;
  readonly text: string;
  readonly wallTimeS: number;
}

/**
 * A text at step 0, for the plugin of that name.
 *
 * Value: tag = 1, tensor = 8, metadata = 9. TensorProto: dtype = 1, tensor_shape = 2 (left out: a scalar), string_val = 8.
 * SummaryMetadata: plugin_data = 1 with plugin_name = 1; data_class = 4.
 */
export function textRecord({ tag: name, text, wallTimeS }: TextEvent): Uint8Array {
  const event = protobuf.Writer.create();
  event.uint32(tag(1, FIXED64)).double(wallTimeS);
  event.uint32(tag(5, BYTES)).fork();
  event.uint32(tag(1, BYTES)).fork();
  event.uint32(tag(1, BYTES)).string(name);
  event.uint32(tag(8, BYTES)).fork();
  event.uint32(tag(1, VARINT)).uint32(DT_STRING);
  event.uint32(tag(8, BYTES)).string(text).ldelim();
  event.uint32(tag(9, BYTES)).fork();
  event.uint32(tag(1, BYTES)).fork().uint32(tag(1, BYTES)).string('text').ldelim();
  event.uint32(tag(4, VARINT)).uint32(DATA_CLASS_TENSOR).ldelim();
  event.ldelim().ldelim();
  return recordFrom(event.finish());
}

const DT_STRING = 7;
const DATA_CLASS_TENSOR = 2;

/** Wire types of protocol buffers; a tag is the field's number and one of these. */
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

function tag(field: number, wireType: number): number {
  return (field << 3) | wireType;
}

/** Length (8 bytes), masked checksum of it, content, masked checksum of that; all little-endian. */
function recordFrom(content: Uint8Array): Uint8Array {
  const record = Buffer.alloc(8 + 4 + content.length + 4);
  record.writeBigUInt64LE(BigInt(content.length), 0);
  record.writeUInt32LE(maskedCrc32c(record.subarray(0, 8)), 8);
  record.set(content, 12);
  record.writeUInt32LE(maskedCrc32c(content), 12 + content.length);
  return record;
}

/**
 * Checksum of a record: rotated and shifted, because a checksum of data that holds checksums is weak.
 * @source TensorFlow's record_writer: ((crc >> 15) | (crc << 17)) + 0xa282ead8
 */
export function maskedCrc32c(bytes: Uint8Array): number {
  const crc = crc32c(bytes);
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

/** CRC-32C. @source RFC 3720, appendix B.4 has values to check it by */
export const crc32c = createCrc32(0x82f63b78);
