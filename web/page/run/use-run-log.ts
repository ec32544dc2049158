import { useEffect, useState } from 'preact/hooks';
import type { Log } from '../../contract/runs.ts';
import { pathWith } from '../api/request.ts';
import { useResource, type Resource } from '../api/use-resource.ts';
import { runPath } from './run-resource.ts';

type Event = Log['events'][number];

/** The log of a run, oldest first. What is there already is not asked for again: only what came after it. */
export function useRunLog(run: string): { readonly events: readonly Event[]; readonly resource: Resource<Log> } {
  const [events, setEvents] = useState<readonly Event[]>([]);
  const last = events.at(-1)?.id ?? 0;
  const resource = useResource<Log>(pathWith(runPath(run, '/log'), { after: last }), { run });
  const { data } = resource;
  useEffect(() => {
    if (data === null) return;
    setEvents((known) => {
      const newest = known.at(-1)?.id ?? 0;
      const more = data.events.filter(({ id }) => id > newest);
      return more.length === 0 ? known : [...known, ...more];
    });
  }, [data]);
  return { events, resource };
}
