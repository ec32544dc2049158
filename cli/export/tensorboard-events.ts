import protobuf from 'protobufjs/minimal.js';

// Event files of TensorBoard: records of TensorFlow's TFRecord format that hold Event messages. Two messages, written by hand.

/** A number of a run at one of its steps. */
export interface Scalar {
  readonly tag: string;
  readonly step: number;
  /** Kept as a 32-bit float, which is all that TensorBoard has. */
  readonly value: number;
  /** When, in seconds since 1970. */
  readonly wallTimeS: number;
}

/** The first record of every event file. */
export function versionRecord(wallTimeS: number): Uint8Array {
  const event = protobuf.Writer.create();
  event.uint32(tag(1, FIXED64)).double(wallTimeS);
  event.uint32(tag(3, BYTES)).string('brain.Event:2');
  return recordFrom(event.finish());
}

/** Event: wall_time = 1, step = 2, summary = 5. Summary: value = 1. Value: tag = 1, simple_value = 2. */
export function scalarRecord({ tag: name, step, value, wallTimeS }: Scalar): Uint8Array {
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

/** CRC-32C (Castagnoli), reflected polynomial 0x82f63b78. @source RFC 3720, appendix B.4 has values to check it by */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 0xff]!;
  return (crc ^ 0xffffffff) >>> 0;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  return crc >>> 0;
});
