import { readdirSync } from 'node:fs';
import path from 'node:path';
import { installationRoot } from '../installation.ts';

/** The folder of the program that steps environments, as Python runs it. */
export function pythonProgram(): string {
  return path.join(installationRoot(), 'python/thaw_environments');
}

/** Its sources. */
export function pythonProgramFiles(): string[] {
  const folder = pythonProgram();
  return readdirSync(folder)
    .filter((name) => name.endsWith('.py'))
    .map((name) => path.join(folder, name));
}
