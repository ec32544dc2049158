import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ChangeFeed, Told } from '../infra/postgres/change-feed.ts';
import type { Database } from '../infra/postgres/database.ts';
import { createLog } from '../infra/log.ts';
import { createApplication } from './application.ts';

/** What the build puts into the folder of the page. */
const PAGE_FILES = ['index.html', 'page.js', 'page.css', 'page.js.map', 'page.css.map'];

const folder = mkdtempSync(path.join(tmpdir(), 'thaw-application-'));
afterAll(() => rmSync(folder, { recursive: true }));
for (const name of PAGE_FILES) writeFileSync(path.join(folder, name), name);

const listeners = new Set<(told: Told) => void>();
const feed: ChangeFeed = {
  subscribe(listener) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  close: () => Promise.resolve(),
};
const application = createApplication({
  context: { database: {} as Database, server: { version: '0', allows_control: false } },
  feed,
  access: { hostNames: [], token: null },
  control: null,
  pageFolder: folder,
  log: createLog({ level: 'silent', name: 'page' }),
});
const ask = (method: string) =>
  application.request('http://localhost/api/v1/changes', { method, headers: { Host: 'localhost' } });

describe('the events of a client', () => {
  it('are listened for until it goes away', async () => {
    const { body } = await ask('GET');
    expect(listeners.size).toBe(1);
    await body!.cancel();
    expect(listeners.size).toBe(0);
  });

  it('are not listened for where only the head is asked for, which nobody ends', async () => {
    const { status, headers, body } = await ask('HEAD');
    expect([status, headers.get('Content-Type'), body]).toEqual([200, 'text/event-stream', null]);
    expect(listeners.size).toBe(0);
  });
});
