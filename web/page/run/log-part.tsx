import { useState } from 'preact/hooks';
import { Section } from '../parts/heading.tsx';
import { Failed } from '../parts/loaded.tsx';
import { countText, pluralText, timeText } from '../parts/number-text.ts';
import { Table, type TableColumn } from '../parts/table.tsx';
import type { ShownRun } from './run-resource.ts';
import { useRunLog } from './use-run-log.ts';

const SHOWN_AT_FIRST = 200;

type Event = ReturnType<typeof useRunLog>['events'][number];

const COLUMNS: readonly TableColumn<Event>[] = [
  { key: 'at', title: 'When', cell: ({ at }) => <time dateTime={at}>{timeText(at)}</time> },
  { key: 'kind', title: 'What', isRowHeader: true, cell: ({ kind }) => kind.replaceAll('_', ' ') },
  { key: 'message', title: 'Message', cell: ({ message }) => <span class="log-message">{message}</span> },
];

/** What happened to a run, the newest first, as it happens. */
export function LogPart({ run }: { readonly run: ShownRun }) {
  const { events, resource } = useRunLog(run.id);
  const [count, setCount] = useState(SHOWN_AT_FIRST);
  return (
    <Section
      title="Log"
      about={`${pluralText(events.length, 'event')}, the newest first. New ones appear by themselves.`}
    >
      {resource.error !== null && <Failed error={resource.error} onRetry={resource.reload} />}
      {events.length === 0 && resource.data === null && resource.error === null ? (
        <p class="loading">Loading the log …</p>
      ) : (
        <Table
          caption="Events"
          columns={COLUMNS}
          rows={events.toReversed().slice(0, count)}
          rowKey={({ id }) => String(id)}
          empty="Nothing happened to it yet."
        />
      )}
      {count < events.length && (
        <button type="button" onClick={() => setCount(count + SHOWN_AT_FIRST)}>
          Show {countText(Math.min(SHOWN_AT_FIRST, events.length - count))} more
        </button>
      )}
    </Section>
  );
}
