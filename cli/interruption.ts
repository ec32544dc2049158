/** What Ctrl-C means while an experiment is watched: once to leave it to itself, twice to cancel it. */
export type Wish = 'leave' | 'cancel';

/** How long after the first Ctrl-C a second one still reaches us. */
const SECOND_CHANCE_MS = 3_000;

export interface Interruption {
  /** Resolves with what the user wants, if ever. */
  readonly wish: Promise<Wish>;
  /** Gives Ctrl-C its usual meaning back. */
  dispose(): void;
}

/** @param onFirst told at the first Ctrl-C; should say what a second one does, and how soon it must come */
export function listenForInterruption(onFirst: (secondChanceMs: number) => void): Interruption {
  let timer: NodeJS.Timeout | undefined;
  let resolve: (wish: Wish) => void = () => undefined;
  const wish = new Promise<Wish>((settle) => (resolve = settle));
  const onSignal = (): void => {
    if (timer !== undefined) return resolve('cancel');
    timer = setTimeout(() => resolve('leave'), SECOND_CHANCE_MS);
    onFirst(SECOND_CHANCE_MS);
  };
  process.on('SIGINT', onSignal);
  return {
    wish,
    dispose() {
      clearTimeout(timer);
      process.off('SIGINT', onSignal);
    },
  };
}
