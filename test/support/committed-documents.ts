import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { installationRoot } from '../../infra/installation.ts';

/** Every committed experiment as plain JSON, of all forms; the smallest first. */
export function committedDocuments(): unknown[] {
  const texts = ['experiments', 'experiments/forms'].flatMap((folder) => {
    const place = path.join(installationRoot(), folder);
    const names = readdirSync(place).filter((name) => name.endsWith('.json'));
    return names.sort().map((name) => readFileSync(path.join(place, name), 'utf8'));
  });
  return texts.sort((a, b) => a.length - b.length).map((text) => JSON.parse(text) as unknown);
}
