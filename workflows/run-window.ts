import type { RunPage } from '../schemas/run-plan.ts';

type Run = RunPage['runs'][number];

const FROM_THE_START = -1;

/** What the workflow of an experiment does next; `wait` until something changes. */
export type Move =
  | { readonly kind: 'start'; readonly run: Run }
  | { readonly kind: 'page'; readonly afterPosition: number; readonly look: number }
  | { readonly kind: 'cancel_queued' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'end' };

/** How the workflow of a run ended, as far as its experiment must know. `lost`: its row, and not it, says how the run stands. */
export type RunEnd = 'done' | 'failed' | 'paused' | 'lost';

/**
 * Which runs of an experiment are in hand, and which come next: at most as many at once as the newest page says, in the
 * order of their positions. What is open is said by the rows alone; the window goes through them page by page, and begins
 * anew when it is told to look again.
 */
export class RunWindow {
  /** Runs of the newest page that have not been started. */
  private waiting: readonly Run[] = [];
  private readonly inHand = new Map<string, { readonly run: Run; wasSeenOpen: boolean }>();
  private concurrencyMax = 0;
  private stopsOnFailure = false;
  /** Urgency of the runs that are started now. */
  priority = 0;
  private position: number;
  /** Counts how often the window began anew: a page that was asked for before says nothing about the rows of now. */
  private look = 0;
  private hasSeenAll = false;
  private isStopped = false;
  private mustCancelQueued = false;

  /** @param afterPosition runs up to it were taken care of before */
  constructor(afterPosition: number) {
    this.position = afterPosition;
  }

  /** What to do now; asking changes nothing. @param isDraining whether no further run is to be started */
  next({ isDraining }: { isDraining: boolean }): Move {
    if (this.mustCancelQueued) return { kind: 'cancel_queued' };
    const isFull = this.concurrencyMax > 0 && this.inHand.size >= this.concurrencyMax;
    if (!isFull && !isDraining && !this.isStopped) {
      const [run] = this.waiting;
      if (run !== undefined) return { kind: 'start', run };
      if (!this.hasSeenAll) return { kind: 'page', afterPosition: this.position, look: this.look };
    }
    return { kind: this.inHand.size > 0 ? 'wait' : 'end' };
  }

  /** Takes the page that a move asked for. @param asked the move, and how many runs a full page has */
  take(page: RunPage, asked: { readonly look: number; readonly limit: number }): void {
    this.concurrencyMax = page.concurrencyMax;
    this.stopsOnFailure = page.stopsOnFailure;
    this.priority = page.priority;
    if (asked.look !== this.look) return;
    this.position = page.runs.at(-1)?.position ?? this.position;
    this.hasSeenAll = page.runs.length < asked.limit;
    for (const run of page.runs) {
      const held = this.inHand.get(run.id);
      if (held !== undefined) held.wasSeenOpen = true;
      else if (!this.isWaiting(run)) this.waiting = [...this.waiting, run];
    }
  }

  started(run: Run): void {
    this.waiting = this.waiting.filter(({ id }) => id !== run.id);
    this.inHand.set(run.id, { run, wasSeenOpen: false });
  }

  /**
   * A run leaves the hand. One whose workflow was lost is started again; so is one that a look found open meanwhile, because
   * it may have been queued again in that very moment. Started in vain it ends at once.
   */
  ended(runId: string, end: RunEnd): void {
    const { run, wasSeenOpen } = this.inHand.get(runId)!;
    this.inHand.delete(runId);
    if (end === 'failed' && this.stopsOnFailure) [this.isStopped, this.mustCancelQueued] = [true, true];
    if ((end === 'lost' || wasSeenOpen) && !this.isWaiting(run)) this.waiting = [run, ...this.waiting];
  }

  queuedCancelled(): void {
    this.mustCancelQueued = false;
  }

  /** Runs were queued that the window may have gone past. They are started even after a stop: somebody asked for it. */
  lookAgain(): void {
    this.waiting = [];
    this.position = FROM_THE_START;
    this.look += 1;
    this.hasSeenAll = false;
    this.isStopped = false;
  }

  /** The position after which a later workflow goes on; null when every run has been taken care of. */
  get rest(): number | null {
    if (this.isStopped || (this.hasSeenAll && this.waiting.length === 0)) return null;
    return Math.min(this.position, ...this.waiting.map(({ position }) => position - 1));
  }

  private isWaiting({ id }: Run): boolean {
    return this.waiting.some((run) => run.id === id);
  }
}
