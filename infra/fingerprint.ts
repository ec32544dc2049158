import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { arch, cpus } from 'node:os';
import { type Device, executorName } from './executors.ts';

/**
 * What equal numbers depend on beside the spec: processor features, Node, the executor. Two machines of equal
 * fingerprint compute equal bytes.
 * @throws REQUEST_DEVICE_MISSING when the device cannot be used here
 */
export function machineFingerprint(device: Device): Record<string, string> {
  return {
    processor: `${arch()}:${createHash('sha256').update(processorFeatures()).digest('hex').slice(0, 12)}`,
    node: process.version,
    executor: executorName(device),
  };
}

/** The instruction sets decide which kernels the executor chooses; the model's name stands in where they are not told. */
function processorFeatures(): string {
  try {
    return /^flags\s*:\s*(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1] ?? '';
  } catch {
    return cpus()[0]?.model ?? '';
  }
}
