import { stateCounts } from '../../learning/results/state-counts.ts';
import type { RunState } from '../../schemas/records.ts';
import { acceptedChange, changeTexts, type AcceptedChange } from './change-experiment.ts';
import type { AskedChange } from '../submission/changed-spec.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { findTarget, nameOf, runsOf, type Target } from '../runs/find-target.ts';
import { nextSteps } from '../watching/next-steps.ts';
import { pluralText } from '../../web/documents/quantity-text.ts';
import { requeue } from './requeue.ts';
import { countsText, exitCodeFromRuns, FAILED_STATES, isFinished } from '../runs/run-counts.ts';
import { withServices, type ServiceSession } from '../services/service-session.ts';
import { print } from '../terminal/terminal.ts';

/** What was stopped, as against what ended by itself. */
const STOPPED_STATES: readonly RunState[] = ['PAUSED', 'CANCELLED'];

/** States that a resumption goes on with: whoever names one run means it, also where it failed. */
export function resumedStates({ run }: Pick<Target, 'run'>): readonly RunState[] {
  return run === undefined ? STOPPED_STATES : [...STOPPED_STATES, ...FAILED_STATES];
}

/** Goes on with what was paused or cancelled, with what nobody looks after any more, and with further seeds. */
export async function resumeById(id: string, asked: AskedChange): Promise<ExitCode> {
  return withServices(async (session) => {
    const target = await findTarget(session.database, id);
    const change = await acceptedChange(session.database, target.experiment, { ...asked, takesSeeds: true });
    if (isComplete(target, change)) {
      print(completeText(target));
      return EXIT.done;
    }
    print(await resume(session, target, change));
    print(`  thaw watch ${target.experiment.id}    follow it`);
    return EXIT.done;
  });
}

/** @returns what goes on, in a sentence */
export async function resume(session: ServiceSession, target: Target, change: AcceptedChange | null): Promise<string> {
  const states = resumedStates(target);
  const { counts, hasEndedPause } = await requeue(session, target, { states, endsPause: true, change });
  const parts = Object.entries(counts).map(([state, count]) => pluralText(count, `${state} run`));
  const what = parts.length > 0 ? ` with ${parts.join(' and ')}` : '';
  const others = target.run === undefined || !hasEndedPause ? 0 : inHand(target);
  const beside =
    others === 0 ? '' : `; it is paused no more, so ${pluralText(others, 'run')} that had not stopped yet goes on too`;
  const changes = change === null ? [] : changeTexts(change.changes).map((text) => `\n  ${text}`);
  return `${nameOf(target)}  goes on${what}${beside}${changes.join('')}`;
}

export function isComplete(target: Target, change: AcceptedChange | null): boolean {
  const states = resumedStates(target);
  const hasSeeds = (change?.changes.appendedSeeds.length ?? 0) > 0;
  return !hasSeeds && isFinished(runsOf(target)) && !runsOf(target).some(({ state }) => states.includes(state));
}

function completeText(target: Target): string {
  const runs = runsOf(target);
  const what = exitCodeFromRuns(runs) === EXIT.done ? 'already complete' : 'nothing to resume';
  return `${nameOf(target)}  ${what}: ${countsText(stateCounts(runs))}${nextSteps(target.experiment.id, runs)}`;
}

function inHand({ runs, run }: Target): number {
  const states: readonly RunState[] = ['RUNNING', 'RETRYING'];
  return runs.filter(({ id, state }) => id !== run?.id && states.includes(state)).length;
}
