import { ThawError } from '../schemas/errors.ts';

/** First bytes of a checkpoint; the digit is the version of the layout. */
const MAGIC = 'THAWCKP1';
const HEADER_OFFSET = MAGIC.length + 4;

export type CheckpointArray = Float32Array | Float64Array | Uint8Array;

/** Named arrays and plain data that belong together. */
export interface Checkpoint {
  /** Plain JSON without NaN or infinities; numbers that may be either belong into arrays. */
  readonly header: Readonly<Record<string, unknown>>;
  readonly arrays: Readonly<Record<string, CheckpointArray>>;
}

const ARRAY_TYPES = { float32: Float32Array, float64: Float64Array, uint8: Uint8Array } as const;

interface StoredArray {
  readonly name: string;
  readonly type: keyof typeof ARRAY_TYPES;
  readonly length: number;
}

/**
 * Checkpoint → bytes: magic, length of the description (uint32), the description as JSON, then the arrays' own bytes,
 * each starting at a multiple of 8. Numbers are little-endian, as on every processor Node runs on. Equal checkpoints
 * give equal bytes, so that they can be content-addressed.
 */
export function bytesFromCheckpoint({ header, arrays }: Checkpoint): Uint8Array {
  const entries = Object.entries(arrays);
  const stored = entries.map(([name, array]): StoredArray => ({ name, type: typeName(array), length: array.length }));
  const description = new TextEncoder().encode(JSON.stringify({ header, arrays: stored }));
  const size = entries.reduce(
    (offset, [, array]) => aligned(offset) + array.byteLength,
    HEADER_OFFSET + description.length,
  );
  const bytes = new Uint8Array(size);
  bytes.set(new TextEncoder().encode(MAGIC));
  new DataView(bytes.buffer).setUint32(MAGIC.length, description.length, true);
  bytes.set(description, HEADER_OFFSET);
  let offset = HEADER_OFFSET + description.length;
  for (const [, array] of entries) {
    offset = aligned(offset);
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offset);
    offset += array.byteLength;
  }
  return bytes;
}

/** @throws WORLD_DISK when the bytes are no checkpoint or were cut short */
export function checkpointFromBytes(bytes: Uint8Array): Checkpoint {
  const magic = new TextDecoder().decode(bytes.subarray(0, MAGIC.length));
  if (magic !== MAGIC) throw new ThawError('WORLD_DISK', `not a checkpoint: it begins with "${magic}", not "${MAGIC}"`);
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(MAGIC.length, true);
  const text = new TextDecoder().decode(bytes.subarray(HEADER_OFFSET, HEADER_OFFSET + length));
  const description = JSON.parse(text) as { header: Record<string, unknown>; arrays: StoredArray[] };
  const arrays: Record<string, CheckpointArray> = {};
  let offset = HEADER_OFFSET + length;
  for (const { name, type, length: count } of description.arrays) {
    offset = aligned(offset);
    const byteLength = count * ARRAY_TYPES[type].BYTES_PER_ELEMENT;
    if (offset + byteLength > bytes.length)
      throw new ThawError('WORLD_DISK', `the checkpoint is cut short inside ${name}`);
    // A copy of the numbers alone: `slice` of a Node Buffer would be a view of a larger one.
    const own = bytes.buffer.slice(bytes.byteOffset + offset, bytes.byteOffset + offset + byteLength);
    arrays[name] = new ARRAY_TYPES[type](own as ArrayBuffer);
    offset += byteLength;
  }
  return { header: description.header, arrays };
}

/**
 * An array of a checkpoint that has to have a certain length.
 * @param owner whose it is, for the error
 * @throws REQUEST_CONFLICT when it is missing or has another length
 */
export function arrayOfLength(
  arrays: Readonly<Record<string, CheckpointArray | undefined>>,
  name: string,
  length: number,
  owner: string,
): CheckpointArray {
  const found = arrays[name];
  if (found?.length === length) return found;
  throw new ThawError(
    'REQUEST_CONFLICT',
    `the checkpoint holds ${found?.length ?? 'no'} ${name} for ${owner}, the network has ${length}`,
  );
}

/** Arrays whose names have a beginning, without it. */
export function partOf<Held extends CheckpointArray | undefined>(
  arrays: Readonly<Record<string, Held>>,
  beginning: string,
): Readonly<Record<string, Held>> {
  const part = Object.entries(arrays).filter(([name]) => name.startsWith(beginning));
  return Object.fromEntries(part.map(([name, array]) => [name.slice(beginning.length), array]));
}

/** Arrays under names of a part: `partOf` finds them again. */
export function prefixed<Held extends CheckpointArray>(
  part: string,
  arrays: Readonly<Record<string, Held>> = {},
): Record<string, Held> {
  return Object.fromEntries(Object.entries(arrays).map(([name, array]) => [`${part}.${name}`, array]));
}

const aligned = (offset: number): number => Math.ceil(offset / 8) * 8;

function typeName(array: CheckpointArray): StoredArray['type'] {
  if (array instanceof Uint8Array) return 'uint8';
  return array instanceof Float32Array ? 'float32' : 'float64';
}
