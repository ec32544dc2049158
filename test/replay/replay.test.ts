import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from '@temporalio/worker';
import { describe, expect, it } from 'vitest';
import { buildFolder, installationRoot } from '../../infra/installation.ts';

/** Recorded by `npx thaw bench durability --histories test/replay/histories`. */
const folder = path.join(installationRoot(), 'test/replay/histories');
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
const code = readFileSync(path.join(buildFolder(), 'workflows/bundle.js'), 'utf8');
const historyOf = (name: string): { events: { eventType: string }[] } =>
  JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as { events: { eventType: string }[] };

describe('recorded histories', () => {
  it('hold both workflows, and attempts that failed', () => {
    expect(names.some((name) => name.startsWith('runExperiment-'))).toBe(true);
    const runs = names.filter((name) => name.startsWith('runVariant-'));
    const failures = runs.flatMap((name) =>
      historyOf(name).events.filter(({ eventType }) => /ACTIVITY_TASK_(FAILED|TIMED_OUT)/.test(eventType)),
    );
    expect(failures.length).toBeGreaterThan(0);
  });

  it.each(names)('replay with the workflows of this version: %s', async (name) => {
    const workflowId = name.slice(name.indexOf('-') + 1, -'.json'.length);
    await Worker.runReplayHistory({ workflowBundle: { code } }, historyOf(name), workflowId);
  });
});
