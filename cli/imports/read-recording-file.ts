import { RecordingReader, type RecordedEpisode } from '../../learning/recordings/recording-reader.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { Problem } from '../../schemas/problem.ts';
import type { World } from '../../simulators/contract.ts';
import { readLimited } from '../files/read-limited.ts';

/** Bytes of a recording. */
const RECORDING_BYTES_MAX = 256 * 2 ** 20;
const LINE_LENGTH_MAX = 4 * 2 ** 20;
const SPLIT = 'Import it in parts, each under a name of its own.';

/** Either all episodes of a file, or what is wrong with it. */
type ReadRecording =
  | { readonly ok: true; readonly episodes: readonly RecordedEpisode[] }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly isCutShort: boolean };

/**
 * Reads a file of JSON lines in a world.
 * @throws REQUEST_FILE_UNREADABLE when it cannot be read as text, or is larger than may be
 */
export async function readRecordingFile(
  file: string,
  world: World,
  dropKeys: readonly string[],
): Promise<ReadRecording> {
  const reader = new RecordingReader(world, dropKeys);
  const text = await textOf(file);
  let line = 0;
  for (const part of linesOf(text)) {
    line += 1;
    if (part.trim() === '') continue;
    if (part.length > LINE_LENGTH_MAX) {
      throw unreadable(file, `line ${line} has more than ${LINE_LENGTH_MAX} characters`, 'Write one step a line.');
    }
    reader.add(part, line);
    if (reader.isHopeless) break;
  }
  const { problems, episodes, isHopeless } = reader;
  if (problems.length > 0) return { ok: false, problems, isCutShort: isHopeless };
  if (episodes.length > 0) return { ok: true, episodes };
  throw unreadable(file, 'there is no line in it', 'Name a recording; `thaw rollout --episodes` makes one.');
}

async function textOf(file: string): Promise<string> {
  const bytes = await readLimited(file, { bytesMax: RECORDING_BYTES_MAX }).catch((error: unknown) => {
    throw unreadable(file, (error as Error).message, `Check the path. ${SPLIT}`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadable(file, 'its bytes are no UTF-8', 'Save the file as UTF-8.');
  }
}

/** One line after the other: all of them at once would take as much memory again. */
function* linesOf(text: string): Generator<string> {
  for (let first = 0; first < text.length;) {
    const end = text.indexOf('\n', first);
    yield end === -1 ? text.slice(first) : text.slice(first, end);
    first = end === -1 ? text.length : end + 1;
  }
}

function unreadable(file: string, why: string, remedy: string): ThawError {
  return new ThawError('REQUEST_FILE_UNREADABLE', `${file} cannot be imported: ${why}.`, { remedy });
}
