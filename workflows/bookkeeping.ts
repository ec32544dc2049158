import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';

/** Short activities on rows. They are idempotent, and outages pass: they are tried again for as long as it takes. */
export const bookkeeping = proxyActivities<
  Pick<
    Activities,
    'pageRuns' | 'planRun' | 'recordFailure' | 'closeRun' | 'pauseRun' | 'cancelQueued' | 'planNotices' | 'recordUntold'
  >
>({
  taskQueue: 'orchestrate',
  // Longer than a database that restarts is waited for.
  startToCloseTimeout: '3 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
});
