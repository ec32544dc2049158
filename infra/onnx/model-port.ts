import type * as ort from 'onnxruntime-node';

/** An input or an output of a model, as its file declares it. */
export interface ModelPort {
  readonly name: string;
  /** Of its elements; `no tensor` for what is none. */
  readonly type: string;
  /** A number where a length is fixed, otherwise what the file calls it. */
  readonly shape: readonly (number | string)[];
}

export function portsFrom(metadata: readonly ort.InferenceSession.ValueMetadata[]): ModelPort[] {
  return metadata.map((each) =>
    each.isTensor
      ? {
          name: each.name,
          type: each.type,
          shape: each.shape.map((length) => (isFixed(length) ? length : length || '?')),
        }
      : { name: each.name, type: 'no tensor', shape: [] },
  );
}

/** A file without a name for an open length has 0 or −1 there. */
function isFixed(length: number | string): length is number {
  return typeof length === 'number' && length > 0;
}

/** E.g. `observations float32 [rows, 18]`. */
export function portText({ name, type, shape }: ModelPort): string {
  return `${name} ${type} [${shape.join(', ')}]`;
}

/** The shape with every open length set to so many rows. */
export function shapeWithRows({ shape }: ModelPort, rows: number): number[] {
  return shape.map((length) => (typeof length === 'number' ? length : rows));
}

/** Numbers of one row. */
export function rowWidth(port: ModelPort): number {
  return shapeWithRows(port, 1).reduce((product, length) => product * length, 1);
}

/** Which length is the number of rows: the only one that is open; −1 where none or several are. */
export function openAxis({ shape }: ModelPort): number {
  const axis = shape.findIndex((length) => typeof length === 'string');
  return shape.slice(axis + 1).every((length) => typeof length === 'number') ? axis : -1;
}

/** How the numbers of rows lie: those of one row are in `outer` pieces of `inner` numbers, and rows alternate within a piece. */
export interface RowLayout {
  readonly outer: number;
  readonly inner: number;
}

/** @param axis which length is the number of rows */
export function rowLayout(shape: readonly number[], axis: number): RowLayout {
  const product = (lengths: readonly number[]): number => lengths.reduce((size, length) => size * length, 1);
  return { outer: product(shape.slice(0, axis)), inner: product(shape.slice(axis + 1)) };
}
