import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { installationRoot } from '../../infra/installation.ts';
import type { AttemptKind } from '../../schemas/records.ts';
import type { ResolvedExperiment } from '../../schemas/resolved-experiment.ts';
import type { ProgressInput, RunProgress, SeenAttempt } from '../../specification/progress.ts';

/** What became of an experiment that was really carried out; see `test/golden/progress-history.mjs`. Every run of it succeeded. */
export interface ProgressHistory {
  /** How it came about. */
  readonly certificate: Readonly<Record<string, string>>;
  /** As it was submitted. */
  readonly document: unknown;
  /** In the order of their starts. Times in milliseconds since the first of them. */
  readonly attempts: readonly RecordedAttempt[];
}

type RecordedAttempt = readonly [
  run: string,
  kind: AttemptKind,
  round: number,
  startMs: number,
  endMs: number,
  outcome: string,
];

const FOLDER = path.join(installationRoot(), 'test/golden');

export function progressHistories(): [name: string, history: ProgressHistory][] {
  const names = readdirSync(FOLDER).filter((name) => /^progress-.*\.json$/.test(name));
  return names.map((name) => [
    name.slice('progress-'.length, -'.json'.length),
    JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8')) as ProgressHistory,
  ]);
}

/** When the last attempt ended. */
export function lengthMs({ attempts }: ProgressHistory): number {
  return Math.max(...attempts.map(([, , , , endMs]) => endMs));
}

/** What somebody saw who looked at that moment; how far a round in hand was, nobody has written down. */
export function seenAt(
  { attempts }: ProgressHistory,
  resolved: ResolvedExperiment,
  nowMs: number,
): ProgressInput<RunProgress> {
  const names = [...new Set(attempts.map(([run]) => run))];
  const byRun = names.map((name) => attempts.filter(([run]) => run === name));
  return {
    resolved,
    nowMs,
    attempts: byRun.flatMap((own) => attemptsAt(own, nowMs)),
    runs: byRun.map((own) => runAt(own, nowMs)),
  };
}

const variantOf = (run: string): string => run.split('/')[0]!;

function attemptsAt(own: readonly RecordedAttempt[], nowMs: number): SeenAttempt[] {
  return own
    .map(([runId, kind, round, startedMs, endMs, outcome], index) => ({
      runId,
      variant: variantOf(runId),
      kind,
      round,
      startedMs,
      endedMs: endMs <= nowMs ? endMs : null,
      isDone: endMs <= nowMs && outcome === 'done',
      previousEndedMs: own[index - 1]?.[4] ?? null,
    }))
    .filter(({ startedMs }) => startedMs <= nowMs);
}

function runAt(own: readonly RecordedAttempt[], nowMs: number): RunProgress {
  const [[id, , , startMs]] = own as [RecordedAttempt];
  const endMs = own.at(-1)![4];
  const isDone = ([, , , , end, outcome]: RecordedAttempt): boolean => end <= nowMs && outcome === 'done';
  return {
    id,
    variant: variantOf(id),
    state: startMs > nowMs ? 'QUEUED' : endMs > nowMs ? 'RUNNING' : 'SUCCEEDED',
    roundsCompleted: own.filter((attempt) => attempt[1] === 'train_round' && isDone(attempt)).length,
    envSteps: 0,
    progressEnvSteps: null,
    startedAt: startMs > nowMs ? null : new Date(startMs),
    finishedAt: endMs > nowMs ? null : new Date(endMs),
  };
}

/** The first run of each variant as if it had been alone: its times since its start. */
export function runsAlone(history: ProgressHistory): [name: string, history: ProgressHistory][] {
  const firsts = new Map<string, string>();
  for (const [run] of history.attempts) if (!firsts.has(variantOf(run))) firsts.set(variantOf(run), run);
  return [...firsts.values()].map((name) => {
    const own = history.attempts.filter(([run]) => run === name);
    const firstMs = own[0]![3];
    const shifted = own.map(([run, kind, round, startMs, endMs, outcome]): RecordedAttempt => [
      run,
      kind,
      round,
      startMs - firstMs,
      endMs - firstMs,
      outcome,
    ]);
    return [name, { ...history, attempts: shifted }];
  });
}
