import { setTimeout as sleep } from 'node:timers/promises';
import { deterministicDigest } from '../../infra/postgres/deterministic-digest.ts';
import { listRuns, type RunStatus } from '../../infra/postgres/run-rows.ts';
import { isFinalState } from '../../schemas/records.ts';
import type { ServiceSession } from '../services/service-session.ts';
import { submitSpecs } from '../submission/submission.ts';
import { benchSpec } from './spec.ts';
import { kill, survivors, type Doomed, type Victim } from './victims.ts';

const POLL_MS = 50;

/** How an experiment ended, and what was done to it meanwhile. */
export interface DisturbedRun {
  readonly digest: string;
  readonly states: readonly string[];
  readonly attempts: number;
  /** Victims in the order in which they were killed, each in the middle of a round. */
  readonly killed: readonly Victim[];
  /** Processes that should be dead and are not. */
  readonly survivors: number;
  readonly wallS: number;
}

/**
 * Submits `experiments/durability.json` and kills the victims one after the other while it runs, each when a round is
 * half done and everything has recovered from the kill before.
 */
export async function runDisturbed(session: ServiceSession, victims: readonly Victim[]): Promise<DisturbedRun> {
  const startedAt = performance.now();
  const [submission] = await submitSpecs(session, [await benchSpec('durability')]);
  const { id } = submission!.experiment;
  const waiting = [...victims];
  const killed: Victim[] = [];
  const doomed: Doomed[] = [];
  let roundsAtLastKill = 0;
  let runs = await listRuns(session.database, id);
  while (!runs.every((run) => isFinalState(run.state))) {
    const rounds = runs.reduce((sum, run) => sum + run.roundsCompleted, 0);
    const [victim] = waiting;
    if (victim !== undefined && rounds > roundsAtLastKill && runs.some(isInMiddleOfRound)) {
      const hit = kill(session.configuration, victim);
      if (hit.length > 0) {
        doomed.push(...hit);
        killed.push(waiting.shift()!);
        roundsAtLastKill = rounds;
      }
    }
    await sleep(POLL_MS);
    runs = await listRuns(session.database, id);
  }
  return {
    digest: await deterministicDigest(session.database, id),
    states: runs.map((run) => run.state),
    attempts: runs.reduce((sum, run) => sum + run.attempts, 0),
    killed,
    survivors: survivors(doomed).length,
    wallS: (performance.now() - startedAt) / 1000,
  };
}

function isInMiddleOfRound({ state, progressEnvSteps, envSteps }: RunStatus): boolean {
  return state === 'RUNNING' && progressEnvSteps !== null && progressEnvSteps > envSteps;
}
