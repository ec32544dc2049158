import protobuf from 'protobufjs/minimal.js';
import { ThawError } from '../../schemas/errors.ts';

/** What of a model can be read without running it. */
export interface ReadModel {
  readonly metadata: ReadonlyMap<string, string>;
  /** Of the operators that every runtime has; null where the file does not say. */
  readonly opset: number | null;
  /** Those of the graph itself, without what bodies of loops and branches hold. */
  readonly operators: ReadonlySet<string>;
  /** The raw data of each that is made of 32-bit floats. */
  readonly initializers: ReadonlyMap<string, Float32Array>;
}

type Fields = Readonly<Record<number, (reader: protobuf.Reader) => unknown>>;

const FLOAT32 = 1;

/**
 * Reads the parts of a model that runs leave. Numbers of the fields are those of `encodedModel`; all else is passed over.
 * @param name what errors call it
 * @throws REQUEST_CONFLICT when the bytes are no model
 */
export function readModel(bytes: Uint8Array, name: string): ReadModel {
  const metadata = new Map<string, string>();
  const initializers = new Map<string, Float32Array>();
  const operators = new Set<string>();
  let opset: number | null = null;
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
  const readNode = (reader: protobuf.Reader): void => {
    readMessage(reader, { 4: (each) => operators.add(each.string()) });
  };
  const readGraph = (reader: protobuf.Reader): void => readMessage(reader, { 1: readNode, 5: readTensor });
  const readOpset = (reader: protobuf.Reader): void => {
    opset = versionOfOpset(reader) ?? opset;
  };
  try {
    readFields(protobuf.Reader.create(bytes), bytes.length, { 7: readGraph, 8: readOpset, 14: readEntry });
  } catch (error) {
    throw new ThawError('REQUEST_CONFLICT', `${name} is no ONNX model: ${(error as Error).message}`, { cause: error });
  }
  return { metadata, opset, operators, initializers };
}

/** OperatorSetIdProto; null for operators that are somebody's own. */
function versionOfOpset(reader: protobuf.Reader): number | null {
  let [domain, version] = ['', 0];
  readMessage(reader, { 1: (each) => (domain = each.string()), 2: (each) => (version = Number(each.int64())) });
  return domain === '' || domain === 'ai.onnx' ? version : null;
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
