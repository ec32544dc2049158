import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { arch, cpus } from 'node:os';
import type { Executor } from '../learning/executor.ts';

/**
 * What equal numbers depend on beside the spec: processor features, Node, the executor. Two machines of equal
 * fingerprint compute equal bytes.
 */
export function machineFingerprint(executor: Executor): Record<string, string> {
  return {
    processor: `${arch()}:${createHash('sha256').update(processorFeatures()).digest('hex').slice(0, 12)}`,
    node: process.version,
    executor: `${executor.name} ${executor.version}`,
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
