import { createCrc32 } from './crc32.ts';

// The transaction log of an offline run of Weights & Biases, which `wandb sync` uploads: records of the log of LevelDB behind a head
// of seven bytes.

/** `:W&B`, 0xbee1 little-endian, version 0. */
const HEAD = Buffer.from([0x3a, 0x57, 0x26, 0x42, 0xe1, 0xbe, 0x00]);
/** The head counts as part of the first block. */
const BLOCK_BYTES = 32_768;
/** Checksum (4 bytes), length (2), kind (1), little-endian. */
const CHUNK_HEAD_BYTES = 7;
const CHUNK = { full: 1, first: 2, middle: 3, last: 4 } as const;

/** Unlike LevelDB's own, it is that of zlib, and not masked. */
const crc32 = createCrc32(0xedb88320);

/**
 * A whole log.
 * @param records encoded messages
 * @source https://github.com/google/leveldb/blob/main/doc/log_format.md
 */
export function logFrom(records: readonly Uint8Array[]): Buffer {
  const parts: Buffer[] = [HEAD];
  let offset = HEAD.length;
  const put = (part: Buffer): void => {
    parts.push(part);
    offset += part.length;
  };
  for (const record of records) {
    let rest = record;
    let isFirst = true;
    do {
      // What is left of a block that takes no chunk is zeros.
      if (roomAt(offset) < CHUNK_HEAD_BYTES) put(Buffer.alloc(roomAt(offset)));
      const piece = rest.subarray(0, roomAt(offset) - CHUNK_HEAD_BYTES);
      rest = rest.subarray(piece.length);
      put(chunkFrom(piece, kindOf(isFirst, rest.length === 0)));
      isFirst = false;
    } while (rest.length > 0);
  }
  return Buffer.concat(parts);
}

/** Bytes that are left of the block at an offset. */
function roomAt(offset: number): number {
  return BLOCK_BYTES - (offset % BLOCK_BYTES);
}

function kindOf(isFirst: boolean, isLast: boolean): number {
  if (isFirst) return isLast ? CHUNK.full : CHUNK.first;
  return isLast ? CHUNK.last : CHUNK.middle;
}

function chunkFrom(piece: Uint8Array, kind: number): Buffer {
  const chunk = Buffer.alloc(CHUNK_HEAD_BYTES + piece.length);
  chunk.writeUInt16LE(piece.length, 4);
  chunk.writeUInt8(kind, 6);
  chunk.set(piece, CHUNK_HEAD_BYTES);
  chunk.writeUInt32LE(crc32(chunk.subarray(6)), 0);
  return chunk;
}
