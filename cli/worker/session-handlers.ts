import type { SamplerDependencies } from '../../activities/sampler-session.ts';
import type { SamplerStarter } from '../../activities/session-samplers.ts';
import { createSessionHandlers } from '../../activities/training-session.ts';
import type { ArtifactStore } from '../../infra/artifacts/artifact-store.ts';
import type { RequestHandler } from '../../infra/children/child-host.ts';
import { readConfiguration } from '../../infra/configuration.ts';
import { executorOn } from '../../infra/executors.ts';
import { exportedModel } from '../../infra/onnx/exported-model.ts';
import { loadPolicy } from '../../infra/onnx/policy-model.ts';
import path from 'node:path';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';

/** What everybody who computes a run's episodes works with in this installation. */
export function computingLibraries(artifacts: ArtifactStore): SamplerDependencies {
  return {
    executorOn,
    artifacts,
    registries: DEFAULT_REGISTRIES,
    loadModel: loadPolicy,
    clock: () => performance.now(),
  };
}

/**
 * The work of a training process, with the libraries of this installation.
 * @param startSampler starts a thread that plays a part of the episodes; this one plays all without it
 */
export function sessionHandlers(
  artifacts: ArtifactStore,
  startSampler?: SamplerStarter,
): Record<string, RequestHandler> {
  return createSessionHandlers({
    ...computingLibraries(artifacts),
    startSampler,
    workFolders: path.join(readConfiguration(process.env).home, 'trainers'),
    exportModel: exportedModel,
  });
}
