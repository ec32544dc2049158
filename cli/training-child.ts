import path from 'node:path';
import { createFolderStore } from '../infra/artifacts/folder-store.ts';
import { serveRequests } from '../infra/children/child-host.ts';
import { startThread } from '../infra/children/child-thread.ts';
import { readConfiguration } from '../infra/configuration.ts';
import { buildFolder } from '../infra/installation.ts';
import { addBridgedFamilies } from './simulators/bridged-families.ts';
import { sessionHandlers } from './worker/session-handlers.ts';

addBridgedFamilies();
const artifacts = createFolderStore(readConfiguration(process.env).artifacts);
const sampler = path.join(buildFolder(), 'cli/sampler-thread.js');

/** The program of a training process: a worker starts it, asks it to train and evaluate, and may kill it at any time. */
serveRequests(sessionHandlers(artifacts, () => startThread(sampler)));
