import { mkdirSync, openSync } from 'node:fs';
import path from 'node:path';

/** Others can neither look into it nor pass through it. */
const CLOSED = 0o700;
/** Others can pass through it to what they are let into, and see no names. */
const PASSABLE = 0o711;
const OWN_FILE = 0o600;

/** What is not a database lies in these folders, or in files of mode 0600 beside them. */
const FOLDERS = ['artifacts', 'logs', 'temporal'];

/**
 * Makes the home and its folders unless they are there; what somebody made keeps its modes. The folders are closed to other users,
 * and so is the home, except that root's lets the user through that Postgres runs as.
 */
export function makeHome(home: string): void {
  mkdirSync(home, { recursive: true, mode: process.getuid?.() === 0 ? PASSABLE : CLOSED });
  for (const folder of FOLDERS) makePrivateFolder(path.join(home, folder));
}

/** Makes a folder, unless it is there, that is closed to other users. */
function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: CLOSED });
}

/** Opens a log for whoever appends to it; other users cannot read it. */
export function openLog(file: string): number {
  makePrivateFolder(path.dirname(file));
  return openSync(file, 'a', OWN_FILE);
}
