import { listExperiments, type ExperimentSummary } from '../infra/postgres/experiment-list.ts';
import { findExperiment } from '../infra/postgres/experiment-rows.ts';
import type { RunStatus } from '../infra/postgres/run-rows.ts';
import { findTarget, type Target } from './find-target.ts';
import { jsonText } from './json-text.ts';
import { listingText, recordFrom, type Column, type ListingFormat } from './listing.ts';
import { ageText, countText, durationText, pluralText, timeText } from './quantity-text.ts';
import { cellCounts, cellsText, countsText, stateCounts } from './run-counts.ts';
import { withDatabase } from './service-session.ts';
import { note, print } from './terminal.ts';
import { visibleCell } from './visible-text.ts';

function listColumns(nowMs: number): readonly Column<ExperimentSummary>[] {
  return [
    { key: 'id', value: ({ id }) => id },
    { key: 'name', value: ({ name }) => name },
    { key: 'version', align: 'right', value: ({ version }) => version },
    { key: 'done', align: 'right', value: ({ runs }) => cellCounts(runs).done, text: doneText },
    { key: 'runs', value: ({ runs }) => countsText(runs) },
    {
      key: 'created_at',
      title: 'submitted',
      value: ({ createdAt }) => createdAt.toISOString(),
      text: ({ createdAt }) => ageText(createdAt, nowMs),
    },
  ];
}

function doneText({ runs }: ExperimentSummary): string {
  const { done, left } = cellCounts(runs);
  return `${done}/${done + left}`;
}

/** A page of the experiments. */
export interface ListPage {
  readonly limit: number;
  /** The last experiment of the page before; undefined for the first page. */
  readonly after: string | undefined;
}

/** Prints experiments, newest first. */
export async function showList(format: ListingFormat, { limit, after }: ListPage): Promise<void> {
  const experiments = await withDatabase(async (database) => {
    const last = after === undefined ? null : (await findExperiment(database, after)).id;
    return listExperiments(database, { limit: limit + 1, after: last });
  });
  const shown = experiments.slice(0, limit);
  if (format === 'json') print(jsonText(shown.map(summaryDocument), 2));
  else if (shown.length > 0 || format === 'csv') print(listingText(listColumns(Date.now()), shown, format));
  else if (after === undefined) note('There is no experiment yet; `thaw run FILE` starts one.');
  else note(`No experiment is older than ${after}.`);
  const [last] = shown.slice(-1);
  if (experiments.length > limit) note(`There are older ones: \`thaw list --after ${last!.id}\`.`);
}

function summaryDocument({ id, name, version, createdAt, runs }: ExperimentSummary): Record<string, unknown> {
  return { id, name, version, created_at: createdAt.toISOString(), runs };
}

const RUN_COLUMNS: readonly Column<RunStatus>[] = [
  { key: 'variant', value: ({ variant }) => variant },
  { key: 'seed', align: 'right', value: ({ seed }) => seed },
  { key: 'state', value: ({ state }) => state },
  {
    key: 'rounds_completed',
    title: 'rounds',
    align: 'right',
    value: ({ roundsCompleted }) => roundsCompleted,
    text: ({ roundsCompleted, roundCount }) => `${roundsCompleted}/${roundCount}`,
  },
  {
    key: 'env_steps',
    title: 'env steps',
    align: 'right',
    value: ({ envSteps }) => envSteps,
    text: ({ envSteps }) => countText(envSteps),
  },
  {
    key: 'elapsed_s',
    title: 'time',
    align: 'right',
    value: elapsedS,
    text: (run) => durationText(elapsedS(run) ?? NaN),
  },
  { key: 'reason', value: ({ reason }) => reason ?? '' },
];

/** From the first attempt to the end; of a run that goes on, null. */
function elapsedS({ startedAt, finishedAt }: RunStatus): number | null {
  return startedAt === null || finishedAt === null ? null : (finishedAt.getTime() - startedAt.getTime()) / 1000;
}

/** Prints an experiment with its runs, or one run. */
export async function showOne(id: string, format: 'table' | 'json', limit: number): Promise<void> {
  const target = await withDatabase((database) => findTarget(database, id));
  print(format === 'json' ? jsonText(targetDocument(target), 2) : targetText(target, limit));
  const more = target.runs.length - limit;
  if (format === 'table' && target.run === undefined && more > 0) {
    note(`… and ${pluralText(more, 'run')} more; \`--limit\` shows more of them, \`-o json\` all.`);
  }
}

function targetDocument({ experiment, runs, run }: Target): Record<string, unknown> {
  const { id, name, version, resultHash, createdAt, sourceFile, resolved, forked } = experiment;
  const rows = (run === undefined ? runs : [run]).map((each) => ({
    id: each.id,
    ...recordFrom(RUN_COLUMNS, each),
    rounds: each.roundCount,
    reason: each.reason,
  }));
  if (run !== undefined) return { experiment: id, ...rows[0] };
  return {
    id,
    name,
    version,
    hash: resultHash,
    created_at: createdAt.toISOString(),
    source_file: sourceFile,
    forked_from: forked?.from ?? null,
    forked_round: forked?.round ?? null,
    labels: resolved.labels,
    state: stateCounts(runs),
    ...cellCounts(stateCounts(runs)),
    runs: rows,
    resolved,
  };
}

/** @param limit runs that are shown one by one */
function targetText({ experiment, runs, run }: Target, limit: number): string {
  const { id, name, version, resultHash, createdAt, sourceFile, resolved, forked } = experiment;
  if (run !== undefined) return listingText(RUN_COLUMNS, [run], 'table');
  const counts = stateCounts(runs);
  const head = [
    `${id}  version ${version} of ${name}${resolved.description === '' ? '' : `: ${visibleCell(resolved.description)}`}`,
    `  submitted  ${timeText(createdAt)} from ${visibleCell(sourceFile)}`,
    `  hash       ${resultHash}`,
    ...(forked === null
      ? []
      : [`  forked     from ${forked.from}${forked.round === null ? '' : ` at round ${forked.round}`}`]),
    ...Object.entries(resolved.labels).map(([key, value]) => `  label      ${key}=${visibleCell(value)}`),
    `  runs       ${pluralText(runs.length, 'run')}: ${cellsText(counts)}; ${countsText(counts)}`,
  ];
  return `${head.join('\n')}\n\n${listingText(RUN_COLUMNS, runs.slice(0, limit), 'table')}`;
}
