import { createSessionHandlers } from '../activities/training-session.ts';
import { createFolderStore } from '../infra/artifacts/folder-store.ts';
import { serveRequests } from '../infra/children/child-host.ts';
import { readConfiguration } from '../infra/configuration.ts';
import { createOnnxExecutor } from '../infra/onnx/executor.ts';
import { onnxModelFromGraph } from '../infra/onnx/model.ts';
import { loadPolicy } from '../infra/onnx/policy-model.ts';
import { DEFAULT_REGISTRIES } from '../specification/registries.ts';

/** The program of a training process: a worker starts it, asks it to train and evaluate, and may kill it at any time. */
const configuration = readConfiguration(process.env);
serveRequests(
  createSessionHandlers({
    executor: createOnnxExecutor(),
    artifacts: createFolderStore(configuration.artifacts),
    registries: DEFAULT_REGISTRIES,
    loadModel: loadPolicy,
    exportModel: (graph, metadata) => onnxModelFromGraph(graph, { dynamicRows: true, metadata }),
  }),
);
