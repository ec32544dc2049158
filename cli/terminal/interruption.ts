/** What a signal means while an experiment is watched: Ctrl-C once to leave it to itself, twice to cancel it. */
export type Wish = 'leave' | 'cancel';

/** How long after the first Ctrl-C a second one still reaches us. */
const SECOND_CHANCE_MS = 3_000;

export interface Interruption {
  /** Resolves with what the user wants, if ever. */
  readonly wish: Promise<Wish>;
  /** Gives the signals their usual meaning back. */
  dispose(): void;
}

/**
 * Listens for Ctrl-C, and for SIGTERM, with which a shell or a scheduler ends a command: it leaves at once.
 * @param onLeaving told once; should say what a second Ctrl-C does, and how soon it must come (null when it is too late)
 */
export function listenForInterruption(onLeaving: (secondChanceMs: number | null) => void): Interruption {
  let timer: NodeJS.Timeout | undefined;
  let resolve: (wish: Wish) => void = () => undefined;
  const wish = new Promise<Wish>((settle) => (resolve = settle));
  const onInterrupt = (): void => {
    if (timer !== undefined) return resolve('cancel');
    timer = setTimeout(() => resolve('leave'), SECOND_CHANCE_MS);
    onLeaving(SECOND_CHANCE_MS);
  };
  let isTerminated = false;
  const onTerminate = (): void => {
    if (timer === undefined && !isTerminated) onLeaving(null);
    isTerminated = true;
    resolve('leave');
  };
  process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate);
  return {
    wish,
    dispose() {
      clearTimeout(timer);
      process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate);
    },
  };
}

/** Ctrl-C or SIGTERM for a verb that only looks: it ends in order, and nothing else does. */
export function listenForEnd(onEnd: () => void = () => undefined): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  const end = (): void => {
    if (!controller.signal.aborted) onEnd();
    controller.abort();
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  return { signal: controller.signal, dispose: () => void process.off('SIGINT', end).off('SIGTERM', end) };
}
