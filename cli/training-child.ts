import { createFolderStore } from '../infra/artifacts/folder-store.ts';
import { serveRequests } from '../infra/children/child-host.ts';
import { readConfiguration } from '../infra/configuration.ts';
import { sessionHandlers } from './session-handlers.ts';

/** The program of a training process: a worker starts it, asks it to train and evaluate, and may kill it at any time. */
serveRequests(sessionHandlers(createFolderStore(readConfiguration(process.env).artifacts)));
