import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Folders that are made, not written. */
const MADE = ['node_modules', 'dist', 'dist-scratch', 'coverage', 'results'];

/** Every file below a folder, relative to where the tests run, made and hidden folders left out. */
export function filesBelow(folder = '.'): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isFile()) return [file];
    return entry.isDirectory() && !MADE.includes(entry.name) && !entry.name.startsWith('.') ? filesBelow(file) : [];
  });
}
