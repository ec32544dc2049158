import type { RecordedEpisode } from './recording-reader.ts';

/**
 * A recording as it is stored: the keys there are, in one order, and every episode by its name. What a file was written
 * like, and keys that were dropped, are no part of it.
 */
export function recordingText(episodes: readonly RecordedEpisode[]): string {
  return episodes
    .flatMap(({ name, steps }) =>
      steps.map(({ step, actions, observations, masks, rewards, state, ended, truncated }) => {
        const legal = masks === null ? {} : { masks };
        const line = { episode: name, step, actions, observations, ...legal, rewards, state, ended, truncated };
        return `${JSON.stringify(line)}\n`;
      }),
    )
    .join('');
}
