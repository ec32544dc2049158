import path from 'node:path';
import { readConfiguration } from '../../infra/configuration.ts';
import { createPythonBridge } from '../../infra/environments/python-bridge.ts';
import { createBridgedFamily } from '../../simulators/bridged/family.ts';
import type { Family } from '../../simulators/contract.ts';
import { addFamilies } from '../../specification/registries.ts';

const bridge = createPythonBridge(() => {
  const { python, environmentPatienceS: patienceS, home } = readConfiguration(process.env);
  return { python, patienceS, cache: path.join(home, 'environments') };
});

/** Families whose worlds are environments in Python. */
export const BRIDGED_FAMILIES: readonly Family[] = [
  createBridgedFamily('pettingzoo', bridge),
  createBridgedFamily('gymnasium', bridge),
];

/** Id of the Python process that they are stepped in by this thread; null while there is none. */
export const environmentProcess = (): number | null => bridge.processId;

/** Makes specs know them. Every program that runs specs of users does this first. */
export function addBridgedFamilies(): void {
  addFamilies(BRIDGED_FAMILIES);
}
