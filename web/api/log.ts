import { z } from 'zod';
import { listEvents } from '../../infra/postgres/event-rows.ts';
import { logSchema } from '../contract/runs.ts';
import { askedRun } from './asked-run.ts';
import { defineRoute } from './route.ts';

const querySchema = z.strictObject({
  after: z.int().min(0).default(0).describe('Only events after the one of this id.'),
  limit: z.int().min(1).max(1000).default(1000).describe('How many at most.'),
});

export const logRoute = defineRoute({
  path: '/runs/{id}/log',
  summary: 'What happened to a run, oldest first.',
  query: querySchema,
  answer: logSchema,
  async load({ database }, { id, query: { after, limit } }) {
    const { id: runId, experimentId } = await askedRun(database, id);
    const events = await listEvents(database, { experimentId, runId }, { after, limit });
    return {
      events: events.map((event) => ({
        id: event.id,
        at: event.at.toISOString(),
        kind: event.kind,
        message: event.message,
      })),
    };
  },
});
