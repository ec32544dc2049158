import protobuf from 'protobufjs/minimal.js';
import type { NamedWeights } from '../../learning/transfer/named-weights.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { StoredArray } from './exported-model.ts';

/**
 * The weights inside a policy that a run exported, by their names.
 * @param name what errors call it
 * @throws REQUEST_CONFLICT when it does not say what its weights are called
 */
export function policyWeights(bytes: Uint8Array, name: string): NamedWeights {
  const { metadata, initializers } = readModel(bytes, name);
  const text = metadata.get('layout');
  if (text === undefined) throw nameless(name, 'no metadata "layout"');
  const layout: Record<string, { offset: number; shape: readonly number[] }> = {};
  const arrays: Float32Array[] = [];
  let offset = 0;
  for (const [array, stored] of Object.entries(JSON.parse(text) as Record<string, StoredArray>)) {
    const values = 'values' in stored ? Float32Array.from(stored.values) : initializers.get(stored.initializer);
    if (values === undefined) throw nameless(name, `no initializer for ${array}`);
    layout[array] = { offset, shape: stored.shape };
    arrays.push(values);
    offset += values.length;
  }
  const values = new Float32Array(offset);
  Object.values(layout).forEach((slot, index) => values.set(arrays[index]!, slot.offset));
  return { layout, values };
}

function nameless(name: string, what: string): ThawError {
  return new ThawError('REQUEST_CONFLICT', `${name} does not tell its weights by name: it has ${what}`, {
    remedy: 'Weights can be taken from policies that this version of Thaw exported.',
  });
}

interface ReadModel {
  readonly metadata: ReadonlyMap<string, string>;
  /** The raw data of each that is made of 32-bit floats. */
  readonly initializers: ReadonlyMap<string, Float32Array>;
}

type Fields = Readonly<Record<number, (reader: protobuf.Reader) => void>>;

const FLOAT32 = 1;

/** Numbers of the fields are those of `encodedModel`; what else there is, is passed over. */
function readModel(bytes: Uint8Array, name: string): ReadModel {
  const metadata = new Map<string, string>();
  const initializers = new Map<string, Float32Array>();
  const readEntry = (reader: protobuf.Reader): void => {
    let [key, value] = ['', ''];
    readMessage(reader, { 1: (each) => (key = each.string()), 2: (each) => (value = each.string()) });
    metadata.set(key, value);
  };
  const readTensor = (reader: protobuf.Reader): void => {
    let [tensor, type, data] = ['', 0, new Uint8Array(0)];
    readMessage(reader, {
      2: (each) => (type = each.int32()),
      8: (each) => (tensor = each.string()),
      // A copy of its own, because floats must begin at a multiple of 4.
      9: (each) => (data = Uint8Array.from(each.bytes())),
    });
    if (type === FLOAT32) initializers.set(tensor, new Float32Array(data.buffer, 0, data.length / 4));
  };
  const readGraph = (reader: protobuf.Reader): void => readMessage(reader, { 5: readTensor });
  try {
    readFields(protobuf.Reader.create(bytes), bytes.length, { 7: readGraph, 14: readEntry });
  } catch (error) {
    throw new ThawError('REQUEST_CONFLICT', `${name} is no ONNX model: ${(error as Error).message}`, { cause: error });
  }
  return { metadata, initializers };
}

/** A message inside another: its length comes first. */
function readMessage(reader: protobuf.Reader, fields: Fields): void {
  const length = reader.uint32();
  readFields(reader, reader.pos + length, fields);
}

function readFields(reader: protobuf.Reader, end: number, fields: Fields): void {
  while (reader.pos < end) {
    const tag = reader.uint32();
    const read = fields[tag >>> 3];
    if (read) read(reader);
    else reader.skipType(tag & 7);
  }
}
