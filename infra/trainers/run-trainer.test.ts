import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readFolder } from './folder-contents.ts';
import { LineFollower } from './line-follower.ts';
import { runTrainer, type TrainerRound } from './run-trainer.ts';
import { eventFromText, resultFromText, type TrainerEvent } from './trainer-report.ts';
import { createWorkFolder } from './work-folder.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'thaw-trainer-'));
afterAll(() => rmSync(folder, { recursive: true }));

let parent: string;
let count = 0;
beforeEach(() => void (parent = path.join(folder, String((count += 1)))));

const bytes = (text: string): Uint8Array => Buffer.from(text);
/** A program in JavaScript, with what it needs to read and write. */
const program = (text: string): Uint8Array =>
  bytes(`const fs = require('fs'), env = process.env, out = env.THAW_OUT;
const task = JSON.parse(fs.readFileSync(env.THAW_TASK, 'utf8'));
const save = (policies) => { fs.mkdirSync(out + '/checkpoint', { recursive: true });
  fs.writeFileSync(out + '/result.json', JSON.stringify({ policies })); };
${text}`);

function round(text: string, changes: Partial<TrainerRound> = {}): TrainerRound & { events: TrainerEvent[] } {
  const events: TrainerEvent[] = [];
  return {
    parent,
    command: [process.execPath, 'train.cjs'],
    program: new Map([['train.cjs', program(text)]]),
    checkpoint: null,
    policies: new Map(),
    task: { round: 2, seed: 5, env_steps: 100 },
    openWorld: () => Promise.reject(new Error('no world here')),
    beforeStep: () => undefined,
    onEvent: (event) => events.push(event),
    onProgress: async () => undefined,
    events,
    ...changes,
  };
}

describe('a round of a program', () => {
  it('is given its task, its checkpoint and the policies of partners, and takes back what it leaves', async () => {
    const { state, played } = await runTrainer(
      round(
        `save({ agent: 'p.onnx' });
         const before = fs.readFileSync(env.THAW_CHECKPOINT + '/deep/weights', 'utf8');
         const partner = fs.readFileSync(task.policies.abc, 'utf8');
         fs.writeFileSync(out + '/p.onnx', partner + task.seed + env.THAW_ROUND + env.THAW_ENV_STEPS);
         fs.mkdirSync(out + '/checkpoint/deep');
         fs.writeFileSync(out + '/checkpoint/deep/weights', before + '+');`,
        { checkpoint: new Map([['deep/weights', bytes('w')]]), policies: new Map([['abc', bytes('partner')]]) },
      ),
    );
    expect(played).toBeNull();
    const texts = (contents: ReadonlyMap<string, Uint8Array>) =>
      [...contents].map(([name, content]) => [name, Buffer.from(content).toString()]);
    expect(texts(state!.policies)).toEqual([['agent', 'partner52100']]);
    expect(texts(state!.files)).toEqual([['deep/weights', 'w+']]);
    expect(readdirSync(parent)).toEqual([]);
  });

  it('has a folder for what it leaves lying, which goes with the round', async () => {
    const asked = round(
      `const left = fs.mkdtempSync(require('os').tmpdir() + '/left-');
       fs.writeFileSync(left + '/log', '');
       const isInside = left.startsWith(require('path').dirname(out));
       fs.appendFileSync(out + '/events.jsonl', JSON.stringify({ metrics: { isInside: Number(isInside) } }) + '\\n');
       save({});`,
    );
    await runTrainer(asked);
    expect(asked.events).toEqual([{ metrics: { isInside: 1 } }]);
    expect(readdirSync(parent)).toEqual([]);
  });

  it('is heard to the last line, and told of no variable that is ours', async () => {
    const asked = round(
      `fs.appendFileSync(out + '/events.jsonl', '{"env_steps": 1}\\n{"metrics": {"loss": "NaN", "gain": 2}}\\n');
       fs.appendFileSync(out + '/events.jsonl', JSON.stringify({ metrics: { ours: Object.keys(env).filter((name) => /^(NODE_|THAW_(HOME|ARTIFACTS))/.test(name)).length } }) + '\\n');
       save({});`,
    );
    await runTrainer(asked);
    expect(asked.events).toEqual([{ env_steps: 1 }, { metrics: { loss: NaN, gain: 2 } }, { metrics: { ours: 0 } }]);
  });

  it.each([
    ['an exit code', 'process.exit(3)', /ended with exit code 3/, { exitCode: 3, signal: null }],
    ['a signal', `process.kill(process.pid, 'SIGKILL')`, /ended with signal SIGKILL/, { signal: 'SIGKILL' }],
    ['no result', '', /without a result/, { exitCode: 0 }],
    ['a policy that is not there', `save({ agent: 'p.onnx' })`, /"p.onnx" for the policy for agent/, { exitCode: 0 }],
  ])('with %s is a failure of the program', async (_, text, message, end) => {
    await expect(runTrainer(round(text))).rejects.toMatchObject({
      name: 'ProgramFailure',
      message: expect.stringMatching(message),
      end,
    });
    expect(readdirSync(parent)).toEqual([]);
  });

  it('is ended at once when it says what means nothing', async () => {
    const babbling = `fs.appendFileSync(out + '/events.jsonl', 'hello\\n'); setInterval(() => 0, 1000)`;
    await expect(runTrainer(round(babbling))).rejects.toMatchObject({ code: 'REQUEST_BAD_ARGUMENT' });
  });
});

describe('what a program may say', () => {
  it.each([
    '{"metrics": {"1st": 1}}',
    '{"env_steps": -1}',
    '{"env_steps": 1.5}',
    '{"step": 1}',
    '{"episode": {"simulator": "a", "return": 1}}',
    '[]',
    'NaN',
  ])('is not %s', (text) => {
    expect(() => eventFromText(text, 7)).toThrow(/line 7 of events.jsonl/);
  });

  it.each(['{}', '{"policies": []}', '{"policies": {}, "diverged": {"what": "loss"}}', '{"diverged": {}}'])(
    'at the end is not %s',
    (text) => {
      expect(() => resultFromText(text)).toThrow(/result.json/);
    },
  );

  it('is read line by line, however it is cut', async () => {
    const file = path.join(folder, 'lines');
    const lines: [string, number][] = [];
    const follower = await LineFollower.open(file, (text, line) => lines.push([text, line]));
    for (const part of ['one\ntw', 'o\n', '\nthr', 'ee']) {
      writeFileSync(file, part, { flag: 'a' });
      await follower.read();
    }
    await follower.close();
    expect(lines).toEqual([
      ['one', 1],
      ['two', 2],
    ]);
  });
});

describe('folders', () => {
  it('of a checkpoint may hold no links', async () => {
    const kept = path.join(folder, 'kept');
    mkdirSync(kept);
    symlinkSync('/etc/hostname', path.join(kept, 'link'));
    await expect(readFolder(kept)).rejects.toMatchObject({ code: 'REQUEST_BAD_ARGUMENT' });
  });

  it('of processes that are gone are removed, and those of others left', async () => {
    const [gone, alive] = [`round-${2 ** 22 + 1}-x`, `round-${process.ppid}-x`].map((name) => path.join(parent, name));
    mkdirSync(gone!, { recursive: true });
    mkdirSync(alive!);
    const own = await createWorkFolder(parent);
    expect([gone!, alive!, own].map(existsSync)).toEqual([false, true, true]);
  });
});
