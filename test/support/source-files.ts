import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Folders that are made, not written; outputs are where experiments lie or at the top, and `learning/results` is neither. */
const MADE = ['node_modules', 'dist', 'dist-scratch', 'coverage'];
const OUTPUTS = ['results', 'experiments/results'];

/** Every file below a folder, relative to where the tests run, made and hidden folders left out. */
export function filesBelow(folder = '.'): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isFile()) return [file];
    return entry.isDirectory() && isWritten(file, entry.name) ? filesBelow(file) : [];
  });
}

function isWritten(file: string, name: string): boolean {
  return !MADE.includes(name) && !OUTPUTS.includes(file) && !name.startsWith('.');
}
