import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { installationRoot } from '../infra/installation.ts';
import {
  lengthMs,
  progressHistories,
  runsAlone,
  seenAt,
  type ProgressHistory,
} from '../test/support/progress-history.ts';
import { resolved } from '../test/support/spec-document.ts';
import { progressOf } from './progress.ts';

const guide = readFileSync(path.join(installationRoot(), 'docs/guides/watching.md'), 'utf8');
const histories = progressHistories();
/** The part of an experiment's whole time after which its end is foretold within a factor of 2. */
const SHARE_MIN = 0.1;
/** Looks at one history after that. */
const LOOKS = 19;
/** A run alone has never seen a final evaluation, which all that is left comes to at last. */
const SHARES_ALONE = [0.1, 0.25, 0.5, 0.75];
/** A shorter run has not trained a round at a tenth of its time, and how far its first one was is not recorded. */
const STEPS_MIN = 20;
const SHARES_TOLD = [0.1, 0.25, 0.5];

/** What was said to be left and what was left, in seconds. */
function saidAndLeft(
  history: ProgressHistory,
  experiment: ReturnType<typeof resolved>,
  share: number,
): [number, number] {
  const nowMs = share * lengthMs(history);
  const { remainingS } = progressOf(seenAt(history, experiment, nowMs));
  return [remainingS ?? NaN, (lengthMs(history) - nowMs) / 1000];
}

const hasLongRuns = ([, history]: [string, ProgressHistory]): boolean =>
  runsAlone(history).every(([, { attempts }]) => attempts.length >= STEPS_MIN);

describe('the time left of experiments that were really carried out', () => {
  it('is looked at in several kinds of them, failure-driven ones among them', () => {
    expect(histories.length).toBeGreaterThanOrEqual(4);
    expect(histories.filter(hasLongRuns).length).toBeGreaterThanOrEqual(2);
    const documents = histories.map(([, { document }]) => JSON.stringify(document));
    expect(documents.filter((text) => text.includes('"failure_driven"')).length).toBeGreaterThanOrEqual(2);
  });

  it.each(histories)('is right within a factor of 2 from a tenth of the way on: %s', (_name, history) => {
    const experiment = resolved(history.document);
    for (let look = 0; look < LOOKS; look += 1) {
      const share = SHARE_MIN + (look * (1 - SHARE_MIN)) / LOOKS;
      const [said, left] = saidAndLeft(history, experiment, share);
      expect(said / left, `${said} s said, ${left} s left`).toBeGreaterThan(1 / 2);
      expect(said / left, `${said} s said, ${left} s left`).toBeLessThan(2);
    }
  });

  it.each(histories.filter(hasLongRuns))(
    'is right within a factor of 2 also of one run alone: %s',
    (_name, history) => {
      const experiment = resolved(history.document);
      for (const [name, run] of runsAlone(history)) {
        for (const share of SHARES_ALONE) {
          const [said, left] = saidAndLeft(run, experiment, share);
          expect(said / left, `${name}: ${said} s said, ${left} s left`).toBeGreaterThan(1 / 2);
          expect(said / left, `${name}: ${said} s said, ${left} s left`).toBeLessThan(2);
        }
      }
    },
  );

  it.each(histories)('is as the guide has it: %s', (name, history) => {
    const experiment = resolved(history.document);
    const cells = SHARES_TOLD.flatMap((share) => {
      const [said, left] = saidAndLeft(history, experiment, share);
      return [`${said.toFixed(0)} of ${left.toFixed(0)} s (${(said / left).toFixed(2)})`];
    });
    const runs = new Set(history.attempts.map(([run]) => run)).size;
    expect(guide).toContain(`| ${[name, runs, `${(lengthMs(history) / 1000).toFixed(0)} s`, ...cells].join(' | ')} |`);
  });
});
