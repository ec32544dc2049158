import { durationText, pluralText } from '../web/documents/quantity-text.ts';
import { canDraw } from './watching.ts';

/** On a terminal, a line on standard error that is drawn anew; elsewhere nothing. */
export async function createCrossPlayProgress(): Promise<{
  readonly show: (played: number, count: number) => void;
  readonly close: () => void;
}> {
  if (!canDraw(process.stderr)) return { show: () => undefined, close: () => undefined };
  const { createLogUpdate } = await import('log-update');
  const draw = createLogUpdate(process.stderr);
  const startedMs = performance.now();
  return {
    show: (played, count) => {
      draw(progressText(played, count, performance.now() - startedMs));
    },
    close: () => {
      draw.clear();
    },
  };
}

/** How far it has come, and how long the rest takes at the speed so far. */
export function progressText(played: number, count: number, elapsedMs: number): string {
  const done = `${played} of ${pluralText(count, 'pair')} played`;
  if (played === 0) return done;
  return `${done}, about ${durationText(((elapsedMs / 1000) * (count - played)) / played)} left`;
}
