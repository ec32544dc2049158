import protobuf from 'protobufjs/minimal.js';

// The part of onnx.proto (IR version 8) that graphs need, written by hand: eight messages do not pay for a compiler.

const IR_VERSION = 8;
/** Old enough for every runtime in use, new enough for all operators that are emitted. */
export const OPSET_VERSION = 17;

/** Numbers of TensorProto.DataType. */
export const ELEMENT_TYPES = { float32: 1, int32: 6, int64: 7, bool: 9 } as const;
export type ElementType = keyof typeof ELEMENT_TYPES;

/** A number is stored as an integer, so fractions that happen to be whole must say so: `{ float: 1 }`. */
export type AttributeValue = number | readonly number[] | { readonly float: number } | { readonly body: OnnxGraph };

export interface OnnxNode {
  readonly opType: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

export interface OnnxTensor {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly number[];
  readonly values: Float32Array | Int32Array | BigInt64Array;
}

export interface OnnxValue {
  readonly name: string;
  readonly type: ElementType;
  /** A name in place of a size makes the axis dynamic. */
  readonly shape: readonly (number | string)[];
}

export interface OnnxGraph {
  readonly nodes: readonly OnnxNode[];
  readonly initializers: readonly OnnxTensor[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
}

export interface OnnxModel extends OnnxGraph {
  readonly metadata: Readonly<Record<string, string>>;
}

/** Wire types of protocol buffers; a tag is the field's number and one of these. */
const VARINT = 0;
const BYTES = 2;
const FIXED32 = 5;
const tag = (field: number, wireType: number): number => (field << 3) | wireType;

type Message = (writer: protobuf.Writer) => void;

function writeMessage(writer: protobuf.Writer, field: number, message: Message): void {
  message(writer.uint32(tag(field, BYTES)).fork());
  writer.ldelim();
}

function writeString(writer: protobuf.Writer, field: number, text: string): void {
  writer.uint32(tag(field, BYTES)).string(text);
}

function writeInteger(writer: protobuf.Writer, field: number, value: number): void {
  writer.uint32(tag(field, VARINT)).int64(value);
}

/** AttributeProto: name = 1, f = 2, i = 3, g = 6, ints = 8, type = 20. */
function attributeMessage(name: string, value: AttributeValue): Message {
  return (writer) => {
    writeString(writer, 1, name);
    if (typeof value === 'number') {
      writeInteger(writer, 3, value);
      writeInteger(writer, 20, 2);
    } else if ('float' in value) {
      writer.uint32(tag(2, FIXED32)).float(value.float);
      writeInteger(writer, 20, 1);
    } else if ('body' in value) {
      writeMessage(writer, 6, graphMessage(value.body));
      writeInteger(writer, 20, 5);
    } else {
      for (const each of value) writeInteger(writer, 8, each);
      writeInteger(writer, 20, 7);
    }
  };
}

/** NodeProto: input = 1, output = 2, name = 3, op_type = 4, attribute = 5. */
function nodeMessage({ opType, inputs, outputs, attributes }: OnnxNode): Message {
  return (writer) => {
    for (const each of inputs) writeString(writer, 1, each);
    for (const each of outputs) writeString(writer, 2, each);
    writeString(writer, 3, `${opType}_${outputs[0]}`);
    writeString(writer, 4, opType);
    for (const [name, value] of Object.entries(attributes)) writeMessage(writer, 5, attributeMessage(name, value));
  };
}

/** TensorProto: dims = 1, data_type = 2, name = 8, raw_data = 9 (little-endian, as every machine that runs Node is). */
function tensorMessage({ name, type, shape, values }: OnnxTensor): Message {
  return (writer) => {
    for (const length of shape) writeInteger(writer, 1, length);
    writeInteger(writer, 2, ELEMENT_TYPES[type]);
    writeString(writer, 8, name);
    writer.uint32(tag(9, BYTES)).bytes(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  };
}

/** ValueInfoProto: name = 1, type = 2 › tensor_type = 1 › elem_type = 1, shape = 2 › dim = 1 › dim_value = 1, dim_param = 2. */
function valueMessage({ name, type, shape }: OnnxValue): Message {
  const shapeMessage: Message = (writer) => {
    for (const length of shape) {
      writeMessage(writer, 1, (dimension) => {
        if (typeof length === 'number') writeInteger(dimension, 1, length);
        else writeString(dimension, 2, length);
      });
    }
  };
  return (writer) => {
    writeString(writer, 1, name);
    writeMessage(writer, 2, (typeProto) => {
      writeMessage(typeProto, 1, (tensorType) => {
        writeInteger(tensorType, 1, ELEMENT_TYPES[type]);
        writeMessage(tensorType, 2, shapeMessage);
      });
    });
  };
}

/** GraphProto: node = 1, name = 2, initializer = 5, input = 11, output = 12. */
function graphMessage({ nodes, initializers, inputs, outputs }: OnnxGraph): Message {
  return (writer) => {
    for (const each of nodes) writeMessage(writer, 1, nodeMessage(each));
    writeString(writer, 2, 'thaw');
    for (const each of initializers) writeMessage(writer, 5, tensorMessage(each));
    for (const each of inputs) writeMessage(writer, 11, valueMessage(each));
    for (const each of outputs) writeMessage(writer, 12, valueMessage(each));
  };
}

/**
 * ModelProto: ir_version = 1, producer_name = 2, graph = 7, opset_import = 8 (version = 2), metadata_props = 14.
 * @source onnx.proto of ONNX 1.12
 */
export function encodedModel(model: OnnxModel): Uint8Array {
  const writer = protobuf.Writer.create();
  writeInteger(writer, 1, IR_VERSION);
  writeString(writer, 2, 'thaw');
  writeMessage(writer, 7, graphMessage(model));
  writeMessage(writer, 8, (opset) => writeInteger(opset, 2, OPSET_VERSION));
  for (const [key, value] of Object.entries(model.metadata)) {
    writeMessage(writer, 14, (entry) => {
      writeString(entry, 1, key);
      writeString(entry, 2, value);
    });
  }
  return writer.finish();
}
