import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Changes } from '../../contract/server.ts';
import { onChanges, onConnection, returnsNow } from '../live/changes.ts';
import type { Decoded } from './decoded.ts';
import { get, type RequestError } from './request.ts';

/** An answer on its way. While it is asked for again, and when that fails, what was last known stays. */
export interface Resource<T> {
  readonly data: Decoded<T> | null;
  readonly error: RequestError | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Which changes concern a resource: those of an experiment, of a run, or any. None: it is asked for once. */
export interface Concern {
  readonly experiment?: string;
  readonly run?: string;
  readonly any?: boolean;
  /** At most one question in this time; longer for what is dear to answer. What proves to be slow is asked for even less. */
  readonly everyMs?: number;
}

const EVERY_MS = 1_000;
/** At most this part of the time is spent with asking again. */
const BUSY_SHARE = 0.2;

/** What was answered last, by path, so that a view one comes back to is there at once while it is asked for again. */
const known = new Map<string, unknown>();
const KNOWN_MAX = 40;

function keep(path: string, data: unknown): void {
  known.delete(path);
  known.set(path, data);
  if (known.size > KNOWN_MAX) known.delete(known.keys().next().value!);
}

const lastKnown = <T>(path: string | null): Decoded<T> | null =>
  path === null ? null : ((known.get(path) as Decoded<T> | undefined) ?? null);

interface State<T> {
  readonly path: string | null;
  readonly data: Decoded<T> | null;
  readonly error: RequestError | null;
  readonly isLoading: boolean;
}

/** Asks for a path of the contract, and again when something that it concerns has changed. A null path asks for nothing. */
export function useResource<T>(path: string | null, concern: Concern = {}): Resource<T> {
  const [state, setState] = useState<State<T>>({
    path,
    data: lastKnown<T>(path),
    error: null,
    isLoading: path !== null,
  });
  const abort = useRef<AbortController | null>(null);
  const tookMs = useRef(0);
  const load = useCallback(() => {
    abort.current?.abort();
    if (path === null) return;
    const controller = new AbortController();
    abort.current = controller;
    const sinceMs = performance.now();
    const settle = (part: Partial<State<T>>) => {
      if (!controller.signal.aborted) setState((before) => ({ ...before, ...part, path, isLoading: false }));
    };
    setState((before) => ({ ...before, path, isLoading: true }));
    get<T>(path, controller.signal).then(
      (data) => {
        keep(path, data);
        tookMs.current = performance.now() - sinceMs;
        settle({ data, error: null });
      },
      (error: RequestError) => settle(error.status === 404 ? { data: null, error } : { error }),
    );
  }, [path]);
  useEffect(() => {
    load();
    return () => abort.current?.abort();
  }, [load]);
  useReload(load, concern, tookMs);
  return { data: state.data, error: state.error, isLoading: state.isLoading || state.path !== path, reload: load };
}

/** Whether changes are of what is shown. Where runs of its experiment are not named one by one, a run may be among them. */
function concerns({ changes, experiments, everything }: Changes, { experiment, run, any = false }: Concern): boolean {
  if (everything || any) return true;
  if (experiments.some((id) => id === experiment || run !== undefined)) return true;
  return changes.some(({ experiment_id, run_id }) => experiment_id === experiment || run_id === run);
}

/** Loads again on changes, at once and then at most once in a time; and when events had been missed. */
function useReload(load: () => void, concern: Concern, tookMs: { readonly current: number }): void {
  const { experiment, run, any = false, everyMs = EVERY_MS } = concern;
  useEffect(() => {
    if (experiment === undefined && run === undefined && !any) return;
    let timer: ReturnType<typeof setTimeout> | null = null;
    let lastMs = -Infinity;
    const later = () => {
      if (timer !== null) return;
      timer = setTimeout(
        () => {
          timer = null;
          lastMs = performance.now();
          load();
        },
        Math.max(0, lastMs + Math.max(everyMs, tookMs.current / BUSY_SHARE) - performance.now()),
      );
    };
    let returns = returnsNow();
    const stops = [
      onChanges((changes) => void (concerns(changes, concern) && later())),
      onConnection(() => {
        if (returns === returnsNow()) return;
        returns = returnsNow();
        later();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [load, experiment, run, any, everyMs]);
}
