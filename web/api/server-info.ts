import { z } from 'zod';
import { serverSchema } from '../contract/server.ts';
import { defineRoute } from './route.ts';

export const serverRoute = defineRoute({
  path: '/server',
  summary: 'What this server is and may do.',
  query: z.strictObject({}),
  answer: serverSchema,
  load: async ({ server }) => server,
});
