import type { RunList } from '../../contract/runs.ts';
import type { Decoded } from '../api/decoded.ts';
import { Link } from '../parts/link.tsx';
import { countText, durationText, numberText, shareText, timeText } from '../parts/number-text.ts';
import { StateMark, Verdict } from '../parts/state-mark.tsx';
import type { TableColumn } from '../parts/table.tsx';

type Run = Decoded<RunList>['runs'][number];

/** Columns of a list of runs. Keys are those that the server sorts by. */
export function runColumns(hasExperiment: boolean): readonly TableColumn<Run>[] {
  return hasExperiment ? [RUN, EXPERIMENT, ...REST] : [RUN, ...REST];
}

const RUN: TableColumn<Run> = {
  key: 'variant',
  title: 'Run',
  about: 'Its variant and its seed',
  isPinned: true,
  isRowHeader: true,
  isSortable: true,
  cell: ({ id, variant, seed }) => (
    <Link to={`/runs/${encodeURIComponent(id)}`}>
      {variant} · {seed}
    </Link>
  ),
};

const EXPERIMENT: TableColumn<Run> = {
  key: 'experiment',
  title: 'Experiment',
  isSortable: true,
  cell: ({ experiment_id, experiment_name }) => (
    <Link to={`/experiments/${encodeURIComponent(experiment_id)}`}>{experiment_name}</Link>
  ),
};

const REST: readonly TableColumn<Run>[] = [
  { key: 'seed', title: 'Seed', isSortable: true, isNumber: true, cell: ({ seed }) => seed },
  {
    key: 'state',
    title: 'State',
    isSortable: true,
    cell: ({ state, reason }) => <StateMark state={state} title={reason ?? undefined} />,
  },
  {
    key: 'rounds_completed',
    title: 'Rounds',
    isSortable: true,
    isNumber: true,
    cell: ({ rounds_completed, rounds }) => `${rounds_completed} of ${rounds}`,
  },
  {
    key: 'env_steps',
    title: 'Env steps',
    isSortable: true,
    isNumber: true,
    cell: ({ env_steps }) => countText(env_steps),
  },
  { key: 'attempts', title: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
  {
    key: 'heldout_return',
    title: 'Held-out return',
    about: 'Of the last checkpoint',
    isSortable: true,
    isNumber: true,
    cell: ({ heldout_return }) => numberText(heldout_return),
  },
  {
    key: 'relative_gap',
    title: 'Relative gap',
    about: 'The share of what was learnt over chance that is lost on held-out simulators',
    isSortable: true,
    isNumber: true,
    cell: ({ relative_gap }) => shareText(relative_gap),
  },
  { key: 'verdict', title: 'Verdict', cell: ({ verdict }) => <Verdict verdict={verdict} /> },
  { key: 'started_at', title: 'Started', isSortable: true, cell: ({ started_at }) => timeText(started_at) },
  { key: 'finished_at', title: 'Finished', isSortable: true, cell: ({ finished_at }) => timeText(finished_at) },
  {
    key: 'took',
    title: 'Took',
    isNumber: true,
    cell: ({ started_at, finished_at }) => spanText(started_at, finished_at),
  },
  { key: 'reason', title: 'Reason', cell: ({ reason }) => <span class="reason">{reason ?? '–'}</span> },
];

const spanText = (from: string | null, to: string | null): string =>
  from === null || to === null ? '–' : durationText((Date.parse(to) - Date.parse(from)) / 1000);
