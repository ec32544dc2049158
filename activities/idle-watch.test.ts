import { describe, expect, it } from 'vitest';
import { IdleWatch } from './idle-watch.ts';

/** A clock that is turned by hand. */
function handClock() {
  const clock = { ms: 1000, now: () => clock.ms };
  return clock;
}

describe('the idle shares of a round', () => {
  it('count what the process waited for the others, and all that these did not play', () => {
    const clock = handClock();
    const watch = new IdleWatch(clock.now);
    for (const [stage, lastsMs] of [
      ['forward', 20],
      ['waiting', 30],
      ['update', 40],
      ['forward', 5],
      ['waiting', 5],
    ] as const) {
      watch.enter(stage);
      clock.ms += lastsMs;
    }
    watch.enter('update');
    expect(watch.shares([50, 100])).toEqual([35 / 100, 1 - 50 / 100, 0]);
  });

  it('are nothing below none, where another clock says that a thread was busy for longer than the round', () => {
    const clock = handClock();
    const watch = new IdleWatch(clock.now);
    clock.ms += 10;
    expect(watch.shares([11])).toEqual([0, 0]);
  });
});
