import { beforeEach, describe, expect, it } from 'vitest';
import type { RunPage } from '../schemas/run-plan.ts';
import { RunWindow, type RunEnd } from './run-window.ts';

/** Two runs at once, pages of two. */
const LIMIT = 2;
const EXECUTION = { concurrencyMax: 2, stopsOnFailure: false, priority: 3 };

let window: RunWindow;
/** Runs whose rows are open, by position. */
let open: number[];
/** What was done, in order. */
let told: string[];
beforeEach(() => {
  window = new RunWindow(-1);
  open = [0, 1, 2, 3, 4];
  told = [];
});

const idOf = (position: number): string => `r${position}`;
const pageAfter = (afterPosition: number, execution: Partial<RunPage> = {}): RunPage => ({
  ...EXECUTION,
  ...execution,
  runs: open
    .filter((position) => position > afterPosition)
    .slice(0, LIMIT)
    .map((position) => ({ id: idOf(position), position })),
});

/** Does what the window says until it waits or ends. */
function go({ isDraining = false, ...execution }: Partial<RunPage> & { isDraining?: boolean } = {}): string {
  for (;;) {
    const move = window.next({ isDraining });
    if (move.kind === 'wait' || move.kind === 'end') return move.kind;
    if (move.kind === 'page') window.take(pageAfter(move.afterPosition, execution), { look: move.look, limit: LIMIT });
    if (move.kind === 'cancel_queued') {
      told.push('cancelled');
      window.queuedCancelled();
    }
    if (move.kind === 'start') {
      told.push(move.run.id);
      window.started(move.run);
    }
  }
}

/** A run's workflow ends, and its row is final unless told otherwise. */
function end(position: number, how: RunEnd = 'done', { isOpen = false }: { isOpen?: boolean } = {}): void {
  if (!isOpen) open = open.filter((each) => each !== position);
  window.ended(idOf(position), how);
}

describe('the window of an experiment', () => {
  it('starts runs in order, as many at once as it is wide, and ends when all are over', () => {
    expect(go()).toBe('wait');
    expect(told).toEqual(['r0', 'r1']);
    for (const position of [1, 0, 2, 3]) {
      end(position);
      expect(go()).toBe('wait');
    }
    expect(told).toEqual(['r0', 'r1', 'r2', 'r3', 'r4']);
    end(4);
    expect(go()).toBe('end');
    expect(window.rest).toBeNull();
  });

  it('takes another width with the next page, and starts nothing while more are in hand than it allows', () => {
    go();
    end(0);
    expect(go({ concurrencyMax: 1 })).toBe('wait');
    expect(told).toEqual(['r0', 'r1']);
    end(1);
    expect(go({ concurrencyMax: 1 })).toBe('wait');
    expect(told).toEqual(['r0', 'r1', 'r2']);
  });

  it('starts a run that is queued again behind it when it is told to look', () => {
    go();
    end(0, 'failed');
    go();
    open = [0, ...open];
    window.lookAgain();
    end(1);
    go();
    expect(told).toEqual(['r0', 'r1', 'r2', 'r0']);
  });

  it('looks again although a page that was asked for before comes in later', () => {
    open = [0];
    const asked = window.next({ isDraining: false });
    if (asked.kind !== 'page') throw new Error('the first move asks for a page');
    const stale = pageAfter(asked.afterPosition);
    open = [0, 1];
    window.lookAgain();
    window.take(stale, { look: asked.look, limit: LIMIT });
    go();
    expect(told).toEqual(['r0', 'r1']);
  });

  it('starts a run once more that is queued again in the moment in which it ends', () => {
    open = [0];
    go();
    // Its row has been final and queued again; only its workflow has not told yet.
    window.lookAgain();
    expect(go()).toBe('wait');
    end(0, 'failed', { isOpen: true });
    expect(go()).toBe('wait');
    expect(told).toEqual(['r0', 'r0']);
    end(0);
    expect(go()).toBe('end');
  });

  it.each<[RunEnd, string[]]>([
    ['done', ['r0']],
    ['failed', ['r0']],
    ['paused', ['r0']],
    ['lost', ['r0', 'r0']],
  ])('after a workflow that ended as %s has started %j', (how, started) => {
    open = [0];
    go();
    end(0, how);
    go();
    expect(told).toEqual(started);
  });

  it('cancels what is queued with the first failure where that stops all, and ends with the runs in hand', () => {
    go({ stopsOnFailure: true });
    end(0, 'failed');
    expect(go()).toBe('wait');
    expect(told).toEqual(['r0', 'r1', 'cancelled']);
    end(1, 'failed');
    expect(go()).toBe('end');
    expect(window.rest).toBeNull();
  });

  it('goes on after a stop when somebody queues the rest again meanwhile', () => {
    go({ stopsOnFailure: true });
    end(0, 'failed');
    go();
    window.lookAgain();
    go();
    expect(told).toEqual(['r0', 'r1', 'cancelled', 'r2']);
  });

  it('starts nothing while its history is full, and leaves to the next workflow what is not started', () => {
    go();
    end(0);
    expect(go({ isDraining: true })).toBe('wait');
    end(1, 'lost', { isOpen: true });
    expect(go({ isDraining: true })).toBe('end');
    window = new RunWindow(window.rest!);
    go();
    expect(told).toEqual(['r0', 'r1', 'r1', 'r2']);
  });

  it('leaves to the next workflow what it was told to look at', () => {
    open = [0];
    go();
    end(0);
    go();
    open = [0];
    window.lookAgain();
    expect(go({ isDraining: true })).toBe('end');
    window = new RunWindow(window.rest!);
    go();
    expect(told).toEqual(['r0', 'r0']);
  });
});
