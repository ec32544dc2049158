import type { Column } from '../../learning/results/column.ts';
import { stateCounts } from '../../learning/results/state-counts.ts';
import { listExperiments, type ExperimentSummary } from '../../infra/postgres/experiment-list.ts';
import { findExperiment } from '../../infra/postgres/experiment-rows.ts';
import { listImports } from '../../infra/postgres/import-rows.ts';
import { listMirrors, type MirrorStatus } from '../../infra/postgres/mirror-rows.ts';
import { findTarget, type Target } from './find-target.ts';
import { noteImports } from '../imports/note-imports.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { listingText, type ListingFormat } from '../table-formats/listing.ts';
import { ageText, pluralText, timeText } from '../../web/documents/quantity-text.ts';
import { mirrorDocument, mirrorText } from './mirror-text.ts';
import { loadAttempts, runWithAttemptsDocument, runWithAttemptsText } from './run-attempts.ts';
import { RUN_COLUMNS, runDocument } from './run-columns.ts';
import { cellCounts, cellsText, countsText } from './run-counts.ts';
import { withDatabase } from '../services/service-session.ts';
import { note, print } from '../terminal/terminal.ts';
import { visibleCell } from '../terminal/visible-text.ts';

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
  const { experiments, imports } = await withDatabase(async (database) => {
    const last = after === undefined ? null : (await findExperiment(database, after)).id;
    const page = await listExperiments(database, { limit: limit + 1, after: last });
    return { experiments: page, imports: await listImports(database) };
  });
  const shown = experiments.slice(0, limit);
  if (format === 'json') print(jsonText(shown.map(summaryDocument), 2));
  else if (shown.length > 0 || format === 'csv') print(listingText(listColumns(Date.now()), shown, format));
  else if (after === undefined) note('There is no experiment yet; `thaw run FILE` starts one.');
  else note(`No experiment is older than ${after}.`);
  const [last] = shown.slice(-1);
  if (experiments.length > limit) note(`There are older ones: \`thaw list --after ${last!.id}\`.`);
  if (format === 'table') noteImports(imports);
}

function summaryDocument({ id, name, version, createdAt, runs }: ExperimentSummary): Record<string, unknown> {
  return { id, name, version, created_at: createdAt.toISOString(), runs };
}

/** Prints an experiment with its runs, or one run. */
export async function showOne(id: string, format: 'table' | 'json', limit: number): Promise<void> {
  const { target, mirrors, detail } = await withDatabase(async (database) => {
    const found = await findTarget(database, id);
    return {
      target: found,
      mirrors: await listMirrors(database, found.experiment.id),
      detail: found.run === undefined ? null : await loadAttempts(database, found, found.run),
    };
  });
  if (format === 'json') {
    print(jsonText(detail === null ? experimentDocument(target, mirrors) : runWithAttemptsDocument(detail), 2));
    return;
  }
  print(detail === null ? experimentText(target, mirrors, limit) : runWithAttemptsText(detail, limit));
  if (detail === null) noteMore(target.runs.length - limit, 'run');
  else noteMore(detail.attempts.length - limit, 'older attempt');
}

function noteMore(count: number, what: string): void {
  if (count > 0) note(`… and ${pluralText(count, what)} more; \`--limit\` shows more of them, \`-o json\` all.`);
}

function experimentDocument({ experiment, runs }: Target, mirrors: readonly MirrorStatus[]): Record<string, unknown> {
  const { id, name, version, resultHash, createdAt, sourceFile, resolved, forked } = experiment;
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
    mirrors: mirrors.map(mirrorDocument),
    runs: runs.map(runDocument),
    resolved,
  };
}

/** @param limit runs that are shown one by one */
function experimentText({ experiment, runs }: Target, mirrors: readonly MirrorStatus[], limit: number): string {
  const { id, name, version, resultHash, createdAt, sourceFile, resolved, forked } = experiment;
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
    ...mirrors.map((mirror) => `  mirror     ${mirrorText(mirror)}`),
  ];
  return `${head.join('\n')}\n\n${listingText(RUN_COLUMNS, runs.slice(0, limit), 'table')}`;
}
