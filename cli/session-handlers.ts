import { createSessionHandlers } from '../activities/training-session.ts';
import type { ArtifactStore } from '../infra/artifacts/artifact-store.ts';
import type { RequestHandler } from '../infra/children/child-host.ts';
import { createOnnxExecutor } from '../infra/onnx/executor.ts';
import { onnxModelFromGraph } from '../infra/onnx/model.ts';
import { loadPolicy } from '../infra/onnx/policy-model.ts';
import { DEFAULT_REGISTRIES } from '../specification/registries.ts';

/** The work of a training process, with the libraries of this installation. */
export function sessionHandlers(artifacts: ArtifactStore): Record<string, RequestHandler> {
  return createSessionHandlers({
    executor: createOnnxExecutor(),
    artifacts,
    registries: DEFAULT_REGISTRIES,
    loadModel: loadPolicy,
    exportModel: (graph, metadata) => onnxModelFromGraph(graph, { dynamicRows: true, metadata }),
  });
}
