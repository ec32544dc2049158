import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildFolder, installationRoot } from '../infra/installation.ts';

/** The file of the running program; every process we start is a verb of it, so all belong to one build. */
export function programFile(): string {
  return path.join(buildFolder(), 'cli/main.js');
}

/** Version of the package, with the commit where it is known: `0.1.0+1a2b3c4d5e6f`. */
export function programVersion(): string {
  const root = installationRoot();
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  const commit = commitOf(path.join(root, '.git'));
  return commit === null ? version : `${version}+${commit.slice(0, 12)}`;
}

/** Names the code of the running build: equal for equal sources. */
export function programBuild(): string {
  return path.basename(buildFolder());
}

/** The commit checked out in a repository; null where there is none, or its reference is packed away. */
function commitOf(gitFolder: string): string | null {
  const head = readIfPresent(path.join(gitFolder, 'HEAD'));
  const reference = /^ref: (.+)$/.exec(head ?? '')?.[1];
  const commit = reference === undefined ? head : readIfPresent(path.join(gitFolder, reference));
  return commit !== null && /^[0-9a-f]{40}/.test(commit) ? commit : null;
}

function readIfPresent(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}
