import { durationText, pluralText } from '../../web/documents/quantity-text.ts';
import { createDrawnLine } from '../terminal/drawn-line.ts';

/** On a terminal, a line on standard error that is drawn anew; elsewhere nothing. */
export async function createCrossPlayProgress(): Promise<{
  readonly show: (played: number, count: number) => void;
  readonly close: () => void;
}> {
  const { show, close } = await createDrawnLine();
  const startedMs = performance.now();
  return {
    show: (played, count) => {
      show(progressText(played, count, performance.now() - startedMs));
    },
    close,
  };
}

/** How far it has come, and how long the rest takes at the speed so far. */
export function progressText(played: number, count: number, elapsedMs: number): string {
  const done = `${played} of ${pluralText(count, 'pair')} played`;
  if (played === 0) return done;
  return `${done}, about ${durationText(((elapsedMs / 1000) * (count - played)) / played)} left`;
}
