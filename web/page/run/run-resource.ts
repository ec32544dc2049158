import type { Run } from '../../contract/runs.ts';
import type { Decoded } from '../api/decoded.ts';

export type ShownRun = Decoded<Run>;

/** What is asked of the server about a run. */
export const runPath = (run: string, part = ''): string => `/runs/${encodeURIComponent(run)}${part}`;

/** Where the page shows a failure, named by its id or by its name within a run. */
export const failureAddress = (id: string): string => `/failures/${encodeURIComponent(id)}`;
