import { ThawError } from '../../schemas/errors.ts';
import { bytesFromCheckpoint, checkpointFromBytes } from '../checkpoint.ts';

/** Contents by path, or by role. */
export type FileContents = ReadonlyMap<string, Uint8Array>;

/** What a trainer leaves behind after a round. */
export interface ForeignState {
  /** Its checkpoint folder, by path within it. */
  readonly files: FileContents;
  /** A policy as ONNX for each role that it trains. */
  readonly policies: FileContents;
}

const FORMAT = 'trainer';
const FILE = 'file:';
const POLICY = 'policy:';

/** Equal contents give equal bytes, in whatever order a file system lists them. */
export function bytesFromForeign({ files, policies }: ForeignState): Uint8Array {
  const entries = [...named(POLICY, policies), ...named(FILE, files)];
  return bytesFromCheckpoint({ header: { algorithm: FORMAT }, arrays: Object.fromEntries(entries) });
}

/** @throws REQUEST_CONFLICT when the bytes are the checkpoint of an algorithm of ours */
export function foreignFromBytes(bytes: Uint8Array): ForeignState {
  const { header, arrays } = checkpointFromBytes(bytes);
  if (header['algorithm'] !== FORMAT) {
    throw new ThawError('REQUEST_CONFLICT', `a checkpoint of ${String(header['algorithm'])} cannot go on in a trainer`);
  }
  const contents = arrays as Readonly<Record<string, Uint8Array>>;
  return { files: unnamed(FILE, contents), policies: unnamed(POLICY, contents) };
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : one > other ? 1 : 0;

const named = (prefix: string, contents: FileContents): [string, Uint8Array][] =>
  [...contents].sort(byName).map(([name, bytes]) => [`${prefix}${name}`, bytes]);

function unnamed(prefix: string, contents: Readonly<Record<string, Uint8Array>>): FileContents {
  const own = Object.entries(contents).filter(([name]) => name.startsWith(prefix));
  return new Map(own.map(([name, bytes]) => [name.slice(prefix.length), bytes]));
}
