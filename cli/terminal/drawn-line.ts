import { canDraw } from '../watching/watching.ts';

/** A line on standard error that is drawn anew, on a terminal; elsewhere nothing. */
export async function createDrawnLine(): Promise<{
  readonly show: (text: string) => void;
  readonly close: () => void;
}> {
  if (!canDraw(process.stderr)) return { show: () => undefined, close: () => undefined };
  const { createLogUpdate } = await import('log-update');
  const draw = createLogUpdate(process.stderr);
  return {
    show: (text) => {
      draw(text);
    },
    close: () => {
      draw.clear();
    },
  };
}
