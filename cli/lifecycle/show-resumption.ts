import type { Column } from '../../learning/results/column.ts';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { readConfiguration } from '../../infra/configuration.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { listCommittedWork } from '../../infra/postgres/resumption-rows.ts';
import type { Step } from '../../workflows/round-schedule.ts';
import { acceptedChange, changeTexts } from './change-experiment.ts';
import type { AskedChange } from '../submission/changed-spec.ts';
import { findTarget, runsOf, type Target } from '../runs/find-target.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { listingText } from '../table-formats/listing.ts';
import { planFirstRun, planResumption, type RunResumption } from './plan-resumption.ts';
import { pluralText } from '../../web/documents/quantity-text.ts';
import { resumedStates } from './resume-experiment.ts';
import { withDatabase } from '../services/service-session.ts';
import { print } from '../terminal/terminal.ts';

/** Tells what `resume` would do with each run: what is reused, what runs again and why. Starts and writes nothing. */
export async function showResumption(id: string, asked: AskedChange, format: 'table' | 'json'): Promise<void> {
  const { experiment, changes, runs } = await withDatabase((database) => resumptionOf(database, id, asked));
  if (format === 'json') {
    print(jsonText({ experiment, changes, runs: runs.map(resumptionDocument) }, 2));
    return;
  }
  if (changes.length > 0) print(`${experiment} would change:\n${changes.map((text) => `  ${text}`).join('\n')}\n`);
  print(listingText(COLUMNS, runs, 'table'));
}

async function resumptionOf(database: Database, id: string, asked: AskedChange) {
  const target = await findTarget(database, id);
  const { experiment } = target;
  const change = await acceptedChange(database, experiment, { ...asked, takesSeeds: true });
  return {
    experiment: experiment.id,
    changes: change === null ? [] : changeTexts(change.changes),
    runs: [
      ...(await planRuns(database, target)),
      ...(change?.changes.appendedSeeds ?? []).flatMap((seed) =>
        Object.entries(experiment.resolved.variants).map(([name, variant]) =>
          planFirstRun(runId(experiment.id, name, seed), variant),
        ),
      ),
    ],
  };
}

async function planRuns(database: Database, target: Target): Promise<RunResumption[]> {
  const { experiment } = target;
  const artifacts = createFolderStore(readConfiguration(process.env).artifacts);
  const committed = await listCommittedWork(database, experiment.id);
  const plans: RunResumption[] = [];
  for (const run of runsOf(target)) {
    const variant = experiment.resolved.variants[run.variant]!;
    const work = committed.get(run.id)!;
    plans.push(await planResumption(artifacts, run, { variant, work, resumed: resumedStates(target) }));
  }
  return plans;
}

const COLUMNS: readonly Column<RunResumption>[] = [
  { key: 'run', value: ({ run }) => run, text: ({ run }) => run.split('/').slice(1).join('/') },
  { key: 'state', value: ({ state }) => state ?? '' },
  { key: 'action', title: 'resume', value: ({ action }) => action },
  { key: 'reused', value: ({ roundsReused, roundCount }) => `${roundsReused}/${roundCount} rounds` },
  { key: 'checkpoint', value: checkpointText },
  { key: 'reruns', value: ({ reruns }) => stepsText(reruns) },
  { key: 'reason', value: ({ reason }) => reason },
];

function checkpointText({ checkpoint, repairedFrom, action }: RunResumption): string {
  if (checkpoint === null) return action === 'stays' || action === 'is skipped' ? '' : 'initial weights';
  const { round, hash, flaw } = checkpoint;
  if (flaw === null) return `round ${round}, ${hash.slice(0, 8)}, whole`;
  const again = `${pluralText(round - (repairedFrom ?? 0), 'round')} trained again from ${repairedFrom === 0 ? 'the initial weights' : `round ${repairedFrom}`}`;
  return `round ${round}, ${hash.slice(0, 8)}, ${flaw.startsWith('is missing') ? 'missing' : 'damaged'}: ${again}`;
}

/** Steps in a few words: `rounds 4–6, 2 evaluations, 1 decision, the end`. */
function stepsText(steps: readonly Step[]): string {
  const rounds = steps.filter(({ kind }) => kind === 'train_round').map(({ round }) => round + 1);
  const count = (kind: Step['kind'], noun: string) => {
    const total = steps.filter((step) => step.kind === kind).length;
    return total === 0 ? [] : [pluralText(total, noun)];
  };
  const trained = rounds.length === 1 ? `round ${rounds[0]}` : `rounds ${rounds[0]}–${rounds.at(-1)}`;
  return [
    ...(rounds.length === 0 ? [] : [trained]),
    ...count('evaluate_panels', 'evaluation'),
    ...count('adapt_pool', 'decision'),
    ...(steps.some(({ kind }) => kind === 'finish_run') ? ['the final evaluation'] : []),
  ].join(', ');
}

function resumptionDocument(plan: RunResumption): Record<string, unknown> {
  const { run, state, action, roundsReused, roundCount, checkpoint, repairedFrom, reruns, reason } = plan;
  return {
    run,
    state,
    action,
    rounds_reused: roundsReused,
    rounds: roundCount,
    checkpoint,
    repaired_from_round: repairedFrom,
    // Rounds are counted from 1, as everywhere a person reads them.
    reruns: reruns.map(({ kind, round }) => ({ step: kind, round: kind === 'train_round' ? round + 1 : round })),
    reason,
  };
}
