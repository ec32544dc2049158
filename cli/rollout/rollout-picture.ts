import { writeFile } from 'node:fs/promises';
import { ThawError } from '../../schemas/errors.ts';
import type { Episode } from '../../web/replay/episode.ts';
import { episodeOf, type PlayedRollout } from '../../web/replay/episode-of.ts';
import { renderSvg } from '../render/render-svg.ts';
import { note } from '../terminal/terminal.ts';

/** Writes an episode as an animated picture. @throws REQUEST_BAD_ARGUMENT when the file cannot be written */
export async function writePicture(
  file: string,
  played: PlayedRollout,
  told: Pick<Episode, 'subtitle' | 'mark'>,
): Promise<void> {
  await writeFile(file, renderSvg(withRing(episodeOf(played, told)))).catch((error: unknown) => {
    throw new ThawError('REQUEST_BAD_ARGUMENT', `${file} cannot be written: ${(error as Error).message}`);
  });
  note(`${file}: ${played.steps.length} frames.`);
}

/** The caption says what the mark looks like here. */
function withRing(episode: Episode): Episode {
  const { caption, mark } = episode;
  if (mark === undefined) return episode;
  return { ...episode, caption: `${caption} A small red ring is where a seat was at the ${mark.text}.` };
}
