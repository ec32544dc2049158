import type { RunList as Runs } from '../../contract/runs.ts';
import { pathWith } from '../api/request.ts';
import { useResource } from '../api/use-resource.ts';
import { Choice } from '../parts/choice.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { allStates, stateText } from '../parts/run-state.ts';
import { Table } from '../parts/table.tsx';
import { TextField } from '../parts/text-field.tsx';
import { go, placeWith, usePlace } from '../router.ts';
import { ColumnChoice } from './column-choice.tsx';
import { Pages } from './pages.tsx';
import { runColumns } from './run-columns.tsx';
import { useHidden } from './use-hidden.ts';

const PAGE_SIZE = 100;

/** Runs of an experiment, or of all: filtered, sorted, page by page, with the columns one wants. */
export function RunList({ experiment }: { readonly experiment: string | null }) {
  const { query } = usePlace();
  const page = Math.max(1, Number(query.get('page') ?? 1) || 1);
  const asked = {
    experiment,
    state: query.get('state'),
    variant: query.get('variant'),
    text: query.get('text'),
    sort: query.get('sort'),
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  };
  const concern = experiment === null ? { any: true } : { experiment };
  const runs = useResource<Runs>(pathWith('/runs', asked), { ...concern, everyMs: 2_000 });
  const [hidden, hide] = useHidden();
  const columns = runColumns(experiment === null);
  const sorting = { by: asked.sort ?? 'newest', onSort: (by: string) => go(placeWith({ sort: by, page: null })) };
  return (
    <>
      <div class="tools filters">
        <Filters />
        <ColumnChoice columns={columns} hidden={hidden} onHide={hide} />
      </div>
      <Loaded resource={runs} what="the runs">
        {({ total, runs: rows }) => (
          <>
            <Pages page={page} size={PAGE_SIZE} total={total} what="run" />
            <Table
              caption="Runs"
              columns={columns.filter(({ key, isPinned }) => isPinned === true || !hidden.has(key))}
              rows={rows}
              rowKey={({ id }) => id}
              sorting={sorting}
              empty="No run is like this."
            />
            {total > PAGE_SIZE && <Pages page={page} size={PAGE_SIZE} total={total} what="run" isRepeated />}
          </>
        )}
      </Loaded>
    </>
  );
}

function Filters() {
  const { query } = usePlace();
  const states = [['', 'any'], ...allStates().map((state) => [state, stateText(state)] as const)] as const;
  const set = (name: string, how: 'push' | 'replace') => (value: string) =>
    go(placeWith({ [name]: value === '' ? null : value, page: null }), how);
  return (
    <>
      <Choice label="State" value={query.get('state') ?? ''} options={states} onChoose={set('state', 'push')} />
      <TextField label="Variant" hint="pool*" value={query.get('variant') ?? ''} onWrite={set('variant', 'replace')} />
      <TextField label="Id or reason contains" value={query.get('text') ?? ''} onWrite={set('text', 'replace')} />
      {query.has('sort') && (
        <button type="button" onClick={() => go(placeWith({ sort: null, page: null }))}>
          Newest first
        </button>
      )}
    </>
  );
}
