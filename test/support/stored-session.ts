import path from 'node:path';
import { readConfiguration } from '../../infra/configuration.ts';
import type { Database } from '../../infra/postgres/database.ts';
import type { ServiceSession } from '../../cli/services/service-session.ts';
import { submitSpecs, type Submission } from '../../cli/submission/submission.ts';
import { resolveDocument } from './spec-document.ts';

/** A session over a database alone: workflows are not there, and it is written down which would have been started. */
export function storedSession(database: Database, { home, isOpen = false }: { home: string; isOpen?: boolean }) {
  const started: string[] = [];
  const session: ServiceSession = {
    configuration: readConfiguration({ THAW_HOME: home, THAW_ARTIFACTS: path.join(home, 'artifacts') }),
    database,
    orchestrator: {
      startExperiment: async ({ id }) => void started.push(id),
      cancelExperiment: async () => isOpen,
      cancelRun: async () => isOpen,
      terminateExperiment: async () => undefined,
      terminateRun: async () => undefined,
      isExperimentOpen: async () => isOpen,
      backlogs: async () => [],
      close: async () => undefined,
    },
  };
  return { session, started };
}

/** Stores the experiment of a document, as `submit` does with a file. */
export async function submitDocument(
  session: ServiceSession,
  document: unknown,
  overrides: readonly string[] = [],
): Promise<Submission> {
  const resolution = resolveDocument(document, overrides);
  if (!resolution.ok) throw new Error(`not valid: ${JSON.stringify(resolution.problems, null, 2)}`);
  const { experiment, document: written } = resolution;
  const spec = { file: '/somewhere/example.json', document: written, experiment, policies: new Map() };
  const [submission] = await submitSpecs(session, [spec]);
  return submission!;
}
