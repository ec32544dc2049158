import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Context } from 'hono';
import { answerText } from './answers.ts';

const FILES: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
  'page.js.map': 'application/json; charset=utf-8',
  'page.css.map': 'application/json; charset=utf-8',
};

/**
 * Answers with the page: its files under their names, and everything else with its document, since what a path means is
 * known to the page alone. No path of a request becomes one of the disk.
 * @param folder where the page was built
 */
export function createPageFiles(folder: string): (c: Context) => Response {
  const files = new Map(
    Object.entries(FILES).map(([name, type]) => [`/${name}`, { type, content: readFileSync(path.join(folder, name)) }]),
  );
  return (c) => {
    const { type, content } = files.get(c.req.path) ?? files.get('/index.html')!;
    return answerText(c, content, type);
  };
}
