import type { z } from 'zod';
import { durationMs } from '../schemas/duration.ts';
import type { headSchema } from '../schemas/experiment.ts';
import type { Execution } from '../schemas/resolved-experiment.ts';
import { describeValue, type Finding } from './finding.ts';
import { hasValue } from './path.ts';

type WrittenExecution = z.output<typeof headSchema>['execution'];
type TimeoutName = keyof WrittenExecution['timeouts'];

/** What a timeout lies within: a stall within the attempt at a round, a round within its run. */
const OUTER = { round: 'run', stall: 'round' } as const satisfies Partial<Record<TimeoutName, TimeoutName>>;

/**
 * Execution whose defaults fit what is written: a timeout that nobody wrote is at most the one it lies within, so that
 * `"round": "1m"` alone is enough.
 * @param written the execution as it stands in the spec, defaults left out
 */
export function fitTimeouts(execution: WrittenExecution, written: unknown): WrittenExecution {
  const timeouts = { ...execution.timeouts };
  for (const [inner, outer] of Object.entries(OUTER) as [keyof typeof OUTER, TimeoutName][]) {
    const isDefault = !hasValue(written, ['timeouts', inner]);
    if (isDefault && isLonger(timeouts[inner], timeouts[outer])) timeouts[inner] = timeouts[outer];
  }
  return { ...execution, timeouts };
}

/** Written timeouts that are longer than the one they lie within. */
export function checkTimeouts({ timeouts }: WrittenExecution): Finding[] {
  return (Object.entries(OUTER) as [keyof typeof OUTER, TimeoutName][])
    .filter(([inner, outer]) => isLonger(timeouts[inner], timeouts[outer]))
    .map(([inner, outer]) => ({
      path: ['execution', 'timeouts', inner],
      found: describeValue(timeouts[inner]),
      expected: `at most execution.timeouts.${outer}, "${timeouts[outer]}"`,
      remedy: `Shorten it, or lengthen execution.timeouts.${outer}.`,
    }));
}

function isLonger(one: string, other: string): boolean {
  return durationMs(one) > durationMs(other);
}

/** Execution with its durations in milliseconds as well. */
export function resolveExecution(execution: WrittenExecution): Execution {
  const { round, run, stall } = execution.timeouts;
  const timeoutsMs = { round: durationMs(round), run: durationMs(run), stall: durationMs(stall) };
  return { ...execution, timeouts_ms: timeoutsMs };
}
