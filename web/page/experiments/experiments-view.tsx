import type { ExperimentList } from '../../contract/experiments.ts';
import type { Decoded } from '../api/decoded.ts';
import { pathWith } from '../api/request.ts';
import { useResource } from '../api/use-resource.ts';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { countText, timeText } from '../parts/number-text.ts';
import { StateCounts } from '../parts/state-counts.tsx';
import { Table, type TableColumn } from '../parts/table.tsx';
import { TextField } from '../parts/text-field.tsx';
import { placeWith, usePlace, useQuery } from '../router.ts';

type Shown = Decoded<ExperimentList>['experiments'][number];

/** All experiments, the newest first, with how their runs stand. */
export function ExperimentsView() {
  const { query } = usePlace();
  const [name, setName] = useQuery('name');
  const path = pathWith('/experiments', { limit: 50, name, after: query.get('after') });
  const list = useResource<ExperimentList>(path, { any: true, everyMs: 2_000 });
  return (
    <>
      <Heading title="Experiments" />
      <div class="tools filters">
        <TextField label="Name contains" value={name} onWrite={(text) => setName(text, 'replace')} />
      </div>
      <Loaded resource={list} what="the experiments">
        {({ experiments, next }) => (
          <>
            <Table
              caption="Experiments"
              columns={COLUMNS}
              rows={experiments}
              rowKey={({ id }) => id}
              empty={<Empty isFiltered={name !== ''} />}
            />
            <nav class="pages" aria-label="Pages">
              {query.has('after') && <Link to={placeWith({ after: null })}>Newest</Link>}
              {next !== null && <Link to={placeWith({ after: next })}>Older</Link>}
            </nav>
          </>
        )}
      </Loaded>
    </>
  );
}

function Empty({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <>No experiment has this in its name.</>;
  return (
    <>
      No experiment yet. <code>thaw init</code> writes a first one, <code>thaw run FILE</code> runs it, and it appears
      here by itself.
    </>
  );
}

const COLUMNS: readonly TableColumn<Shown>[] = [
  {
    key: 'name',
    title: 'Experiment',
    isPinned: true,
    isRowHeader: true,
    cell: ({ id, name, version }) => (
      <Link to={`/experiments/${encodeURIComponent(id)}`}>
        {name}
        {version > 1 && `, version ${version}`}
      </Link>
    ),
  },
  { key: 'family', title: 'Family', cell: ({ family }) => family },
  {
    key: 'total',
    title: 'Runs',
    isNumber: true,
    cell: ({ runs }) => countText(Object.values(runs).reduce((sum, count) => sum + count, 0)),
  },
  { key: 'runs', title: 'States of runs', cell: ({ runs }) => <StateCounts counts={runs} /> },
  { key: 'created', title: 'Submitted', cell: ({ created_at }) => timeText(created_at) },
  { key: 'id', title: 'Id', cell: ({ id }) => <code>{id}</code> },
];
