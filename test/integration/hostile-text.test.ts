import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginAttempt, endAttempt } from '../../infra/postgres/attempt-rows.ts';
import { insertRunEvent } from '../../infra/postgres/event-rows.ts';
import { insertExperiment, runId } from '../../infra/postgres/experiment-rows.ts';
import { setRunState } from '../../infra/postgres/run-rows.ts';
import { panelSimulatorsByVariant } from '../../specification/panel-simulators.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { thaw } from '../support/command-line.ts';
import { resolved, specDocument } from '../support/spec-document.ts';
import { useStoredCommandLine } from '../support/stored-command-line.ts';

/** Sets a title, clears the screen, returns to the start of the line, turns the writing around, ends the line, is HTML, is a formula. */
const HOSTILE =
  '\u001b]0;owned\u0007\u001b[2J\u009b2J\rfake\u202egnp\n2026-01-01  SUCCEEDED <script>alert(1)</script> =cmd|x!A0';
/** What is left of it for a terminal to obey. */
const ORDER = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

let folder: string;
beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'thaw-hostile-'))));
afterAll(() => rmSync(folder, { recursive: true }));

describe('text of strangers', () => {
  const stored = useStoredCommandLine();

  async function seedHostile(): Promise<string> {
    const document = { ...specDocument(), description: HOSTILE, labels: { paper: HOSTILE } };
    const experiment = resolved(document);
    const id = 'hostile-1';
    await insertExperiment(stored.database, {
      id,
      identityHash: id,
      document,
      resolved: experiment,
      panelSimulators: panelSimulatorsByVariant(experiment.variants, DEFAULT_REGISTRIES),
      sourceFile: `/somewhere/${HOSTILE}.json`,
      programVersion: '0.1.0',
    });
    const run = runId(id, 'frozen', 0);
    const attempt = { runId: run, kind: 'train_round', round: 0, worker: HOSTILE, fingerprint: {} } as const;
    const token = await beginAttempt(stored.database, attempt);
    const end = { processId: 1, exitCode: 1, signal: null, peakRssMib: 1 };
    await endAttempt(stored.database, token, {
      ...end,
      outcome: 'error',
      message: `${HOSTILE}\0`,
      logTail: `${HOSTILE}\0`,
    });
    await insertRunEvent(stored.database, run, 'retrying', HOSTILE);
    await setRunState(stored.database, run, 'FAILED', HOSTILE);
    return id;
  }

  it('steers no terminal and adds no line, in whatever verb and format', async () => {
    const id = await seedHostile();
    const run = `${id}/frozen/0`;
    const commands = [['list'], ['get', id], ['get', run], ['logs', id], ['logs', run], ['results', id]];
    commands.push(['logs', run, '--attempt', '1']);
    const formats = [
      ['list', '-o', 'csv'],
      ['results', id, '-o', 'csv'],
      ['get', id, '-o', 'json'],
      ['results', id, '-o', 'json'],
    ];
    for (const command of [...commands, ...formats]) {
      const { stdout, stderr, exitCode } = await stored.thaw(...command);
      expect(exitCode, `${command.join(' ')}: ${stderr}`).toBe(0);
      const text = (stdout + stderr).replaceAll('\r\n', '\n');
      expect(text, command.join(' ')).not.toMatch(ORDER);
      if (!command.includes('csv')) expect(text, command.join(' ')).not.toMatch(/^2026-01-01 {2}SUCCEEDED/m);
    }
  });

  it('is shown by signs to people, and exact in JSON', async () => {
    const id = await seedHostile();
    const { stdout: shown } = await stored.thaw('get', id);
    expect(shown).toContain('␛]0;owned␇␛[2J<U+009B>2J␍fake<U+202E>gnp␊2026-01-01');
    const { stdout } = await stored.thaw('get', id, '-o', 'json');
    const document = JSON.parse(stdout);
    expect(document.labels).toEqual({ paper: HOSTILE });
    expect(document.resolved.description).toBe(HOSTILE);
    expect(document.runs[0].reason).toBe(HOSTILE);
    // Postgres holds no zero byte, and the row must not be lost for one.
    expect((await stored.thaw('logs', `${id}/frozen/0`)).stdout).toContain('A0␀');
  });

  it('in a spec that is refused is told of by signs', async () => {
    const file = path.join(folder, 'refused.json');
    const spec = { ...specDocument(), [HOSTILE]: 1, name: HOSTILE, family: HOSTILE, labels: { [HOSTILE]: 'x' } };
    writeFileSync(file, JSON.stringify({ ...spec, variants: { [HOSTILE]: { strategy: { kind: HOSTILE } } } }));
    const { exitCode, stdout, stderr } = await thaw(['validate', file], { THAW_HOME: path.join(folder, 'home') });
    expect(exitCode).toBe(2);
    expect(stdout + stderr).not.toMatch(ORDER);
  });

  it('as an argument is told of by signs', async () => {
    for (const args of [[HOSTILE], ['get', HOSTILE], ['list', `--${HOSTILE}`]]) {
      const { exitCode, stdout, stderr } = await stored.thaw(...args);
      expect(exitCode).toBe(2);
      expect(stdout + stderr).not.toMatch(ORDER);
    }
  });
});

describe('the password of a database', () => {
  const password = 'tr0ub4dor';

  /** Every file below a folder, as text. */
  function textsBelow(place: string): string[] {
    return readdirSync(place, { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(place, name))
      .filter((file) => statSync(file).isFile())
      .map((file) => readFileSync(file, 'latin1'));
  }

  it('is in no output, no log and no file of the home, when the database cannot be reached', async () => {
    const home = path.join(folder, 'unreachable');
    const spec = path.join(folder, 'spec.json');
    writeFileSync(spec, JSON.stringify(specDocument()));
    const port = await getPort({ host: '127.0.0.1' });
    const env = {
      THAW_HOME: home,
      THAW_DATABASE_URL: `postgres://me:${password}@127.0.0.1:${port}/thaw?sslpassword=${password}`,
      // Nothing has to be fetched or started to find that out.
      THAW_TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
      THAW_LOG_LEVEL: 'trace',
    };
    const commands = [
      ['up'],
      ['status'],
      ['status', '--addresses', '-o', 'json'],
      ['submit', spec],
      ['doctor', '-o', 'json'],
    ];
    for (const command of commands) {
      const { stdout, stderr, exitCode } = await thaw(command, env);
      expect(stdout + stderr, command.join(' ')).not.toContain(password);
      if (command[0] !== 'status') expect(exitCode, command.join(' ')).toBe(3);
    }
    await thaw(['down'], env);
    const texts = textsBelow(home);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => text.includes(password))).toEqual([]);
  });
});
