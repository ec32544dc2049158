import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { note } from '../terminal/terminal.ts';

/** What a browser is given to open, and how it is taken away again. */
export interface Opener {
  readonly place: string;
  readonly remove: () => void;
}

/**
 * Everybody on a machine sees the arguments of its processes. So a link that is a secret is handed to the browser in a file that
 * only we can read, which leads on to it.
 */
export function openerOf(link: string, { isSecret }: { isSecret: boolean }): Opener {
  if (!isSecret) return { place: link, remove: () => undefined };
  const folder = mkdtempSync(path.join(tmpdir(), 'thaw-ui-'));
  const place = path.join(folder, 'open.html');
  // An address as URL writes it holds no quotes.
  const html = `<!doctype html><title>Thaw</title><meta http-equiv="refresh" content="0; url=${new URL(link).href}">\n`;
  writeFileSync(place, html, { mode: 0o600 });
  return { place, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Opens a browser, if there is one. @param place an address or a file */
export function openBrowser(place: string): void {
  const command = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(command, [place], { stdio: 'ignore', detached: true });
  child.on('error', () => note(`No browser could be opened by \`${command}\`; open the link yourself.`));
  child.unref();
}
