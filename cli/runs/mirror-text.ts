import type { MirrorStatus } from '../../infra/postgres/mirror-rows.ts';
import { placeOf } from '../../infra/webhook.ts';
import { timeText } from '../../web/documents/quantity-text.ts';
import { visibleCell } from '../terminal/visible-text.ts';

/** How far a tracker has come, for people: `mlflow at http://localhost:5000, demo: has 3 of 4 runs whole`. */
export function mirrorText({ kind, url, project, runCount, toldCount, problem, dueAt }: MirrorStatus): string {
  const done = toldCount === runCount ? `has all ${runCount} runs whole` : `has ${toldCount} of ${runCount} runs whole`;
  const trouble =
    problem === null ? '' : `; ${visibleCell(problem)}${dueAt === null ? '' : `, next try ${timeText(dueAt)}`}`;
  return `${kind} at ${placeOf(url)}, ${visibleCell(project)}: ${done}${trouble}`;
}

/** The same for programs. */
export function mirrorDocument(mirror: MirrorStatus): Record<string, unknown> {
  const { kind, url, project, runCount, toldCount, failures, problem, dueAt } = mirror;
  return {
    kind,
    url,
    experiment: project,
    runs: runCount,
    runs_told: toldCount,
    failures,
    problem,
    next_try_at: dueAt?.toISOString() ?? null,
  };
}
