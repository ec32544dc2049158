import type { ComponentChildren } from 'preact';
import { Section } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { durationText, metricText, numberText, timeText } from '../parts/number-text.ts';
import { Verdict } from '../parts/state-mark.tsx';
import { Table, type TableColumn } from '../parts/table.tsx';
import { CHECKPOINT_MEASURES, otherColumns, RUN_MEASURES, type Measure } from './result-groups.ts';
import type { ShownRun } from './run-resource.ts';

/** What a run is, and every number of its row in the result table with what it means. */
export function OverviewPart({ run }: { readonly run: ShownRun }) {
  const others = otherColumns(Object.keys(run.results)).map((column) => ({ column, about: '' }));
  const groups = others.length === 0 ? RUN_MEASURES : [...RUN_MEASURES, ['Further', others] as const];
  return (
    <>
      <Facts run={run} />
      <Section
        title="Its policies"
        about="Each number of the last checkpoint, and of the one that was best on validation. Verdicts are of the last. n = 1 run."
      >
        <Table
          caption="Measures of the last and of the best checkpoint"
          columns={checkpointColumns(run)}
          rows={CHECKPOINT_MEASURES}
          rowKey={({ column }) => column}
        />
      </Section>
      {groups.map(([title, measures]) => (
        <Section key={title} title={title}>
          <Table caption={title} columns={runColumns(run)} rows={measures} rowKey={({ column }) => column} />
        </Section>
      ))}
    </>
  );
}

function Facts({ run }: { readonly run: ShownRun }) {
  const { started_at: started, finished_at: finished } = run;
  const took = started === null || finished === null ? null : (Date.parse(finished) - Date.parse(started)) / 1000;
  const failures = `/experiments/${encodeURIComponent(run.experiment_id)}/failures?run=${encodeURIComponent(run.id)}`;
  return (
    <dl class="facts">
      <dt>Run</dt>
      <dd>
        <code>{run.id}</code>
      </dd>
      <dt>Strategy</dt>
      <dd>{run.strategy}</dd>
      <dt>Algorithm</dt>
      <dd>{run.algorithm}</dd>
      <dt>Memory limit</dt>
      <dd>{numberText(run.memory_limit_mib)} MiB</dd>
      <dt>Started</dt>
      <dd>{timeText(started)}</dd>
      <dt>Finished</dt>
      <dd>
        {timeText(finished)}
        {took !== null && `, after ${durationText(took)}`}
      </dd>
      <dt>Failures</dt>
      <dd>
        <Link to={failures}>Episodes that went badly</Link>
      </dd>
    </dl>
  );
}

const measureColumn: TableColumn<Measure> = {
  key: 'measure',
  title: 'Measure',
  isPinned: true,
  isRowHeader: true,
  cell: ({ column }) => metricText(column),
};
const aboutColumn: TableColumn<Measure> = {
  key: 'about',
  title: 'What it is',
  cell: ({ about }) => <span class="long-text">{about}</span>,
};

function checkpointColumns({ results }: ShownRun): readonly TableColumn<Measure>[] {
  return [
    measureColumn,
    { key: 'last', title: 'Last', isNumber: true, cell: ({ column }) => valueOf(results, column) },
    { key: 'best', title: 'Best', isNumber: true, cell: ({ column }) => valueOf(results, `best_${column}`) },
    aboutColumn,
  ];
}

function runColumns({ results }: ShownRun): readonly TableColumn<Measure>[] {
  return [
    measureColumn,
    { key: 'value', title: 'Value', isNumber: true, cell: ({ column }) => valueOf(results, column) },
    aboutColumn,
  ];
}

function valueOf(results: ShownRun['results'], column: string): ComponentChildren {
  const value = results[column] ?? null;
  if (column.endsWith('verdict')) return <Verdict verdict={value === null ? null : String(value)} />;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : numberText(value);
}
