import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Executor } from '../learning/executor.ts';
import type { Execution } from '../schemas/resolved-experiment.ts';
import { installationRoot } from './installation.ts';
import { loadNativeTensorflow, nativeTensorflowVersion } from './tensorflow/native-package.ts';

/** Where networks can be computed. */
export type Device = Execution['device'];

/** With what networks are computed on a device. */
interface Computing {
  /**
   * Names library and version without loading it.
   * @throws REQUEST_DEVICE_MISSING when it is not installed
   */
  readonly name: () => string;
  /** Loads the library. @throws REQUEST_DEVICE_MISSING when it is not installed or does not load */
  readonly createExecutor: () => Promise<Executor>;
}

const COMPUTING: Readonly<Record<Device, Computing>> = {
  cpu: {
    name: () => `onnxruntime-cpu ${installedVersion('onnxruntime-node')}`,
    createExecutor: async () => (await import('./onnx/executor.ts')).createOnnxExecutor(),
  },
  cuda: {
    name: () => `tensorflow-node-gpu ${nativeTensorflowVersion()}`,
    createExecutor: async () => {
      const { createTensorflowExecutor } = await import('./tensorflow/executor.ts');
      return createTensorflowExecutor(loadNativeTensorflow());
    },
  },
};

const created = new Map<Device, Promise<Executor>>();

/** The executor of a device; one in a process, made when it is first asked for. @throws REQUEST_DEVICE_MISSING */
export function executorOn(device: Device): Promise<Executor> {
  const known = created.get(device) ?? COMPUTING[device].createExecutor();
  created.set(device, known);
  return known;
}

/** Library and version that compute on a device, as fingerprints have it. @throws REQUEST_DEVICE_MISSING */
export function executorName(device: Device): string {
  return COMPUTING[device].name();
}

/** Devices that can be computed on with what is installed here. */
export function usableDevices(): readonly Device[] {
  return (Object.keys(COMPUTING) as Device[]).filter((device) => {
    try {
      return executorName(device) !== '';
    } catch {
      return false;
    }
  });
}

function installedVersion(name: string): string {
  const file = path.join(installationRoot(), 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
