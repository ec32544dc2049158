import { createSamplerHandlers } from '../activities/sampler-session.ts';
import { createFolderStore } from '../infra/artifacts/folder-store.ts';
import { serveThread } from '../infra/children/thread-host.ts';
import { readConfiguration } from '../infra/configuration.ts';
import { addBridgedFamilies } from './simulators/bridged-families.ts';
import { computingLibraries } from './worker/session-handlers.ts';

addBridgedFamilies();

/** The program of a thread of a training process that plays a range of its environments. */
serveThread(createSamplerHandlers(computingLibraries(createFolderStore(readConfiguration(process.env).artifacts))));
