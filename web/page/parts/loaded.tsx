import type { ComponentChildren } from 'preact';
import type { Decoded } from '../api/decoded.ts';
import type { RequestError } from '../api/request.ts';
import type { Resource } from '../api/use-resource.ts';

interface LoadedProps<T> {
  readonly resource: Resource<T>;
  /** What is being waited for, as in "Loading the runs …". */
  readonly what: string;
  readonly children: (data: Decoded<T>) => ComponentChildren;
}

/** Shows an answer once it is there; until then that it is waited for, and why it does not come. */
export function Loaded<T>({ resource, what, children }: LoadedProps<T>) {
  const { data, error, isLoading } = resource;
  if (data === null) {
    return error === null ? (
      <p class="loading">Loading {what} …</p>
    ) : (
      <Failed error={error} onRetry={resource.reload} />
    );
  }
  return (
    <div aria-busy={isLoading ? 'true' : 'false'}>
      {error !== null && <Failed error={error} onRetry={resource.reload} />}
      {children(data)}
    </div>
  );
}

/** What went wrong and what to do, with a button to ask again. */
export function Failed({ error, onRetry }: { readonly error: RequestError; readonly onRetry: () => void }) {
  return (
    <div class="failed" role="alert">
      <p>
        <strong>{error.message}</strong> {error.remedy}
      </p>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
