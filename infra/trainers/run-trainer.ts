import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PlayedWorld } from '../../learning/trainers/played-world.ts';
import type { ForeignState } from '../../learning/trainers/foreign-checkpoint.ts';
import { ThawError } from '../../schemas/errors.ts';
import { installationRoot } from '../installation.ts';
import { readFolder, writeFolder } from './folder-contents.ts';
import { LineFollower } from './line-follower.ts';
import { TrainerProcess, WORLD_DESCRIPTOR } from './trainer-process.ts';
import { eventFromText, resultFromText, type TrainerEvent, type TrainerResult } from './trainer-report.ts';
import { createWorkFolder, removeWorkFolder } from './work-folder.ts';
import { WorldService } from './world-service.ts';

const POLL_MS = 100;

/** A round for a program of the user. */
export interface TrainerRound {
  /** Folder in which work folders are made. */
  readonly parent: string;
  readonly command: readonly string[];
  /** Files of the program, by path. */
  readonly program: ReadonlyMap<string, Uint8Array>;
  /** Files of the checkpoint that it goes on from; null where a run begins. */
  readonly checkpoint: ReadonlyMap<string, Uint8Array> | null;
  /** Policies of partners, by the hash of their files. */
  readonly policies: ReadonlyMap<string, Uint8Array>;
  /** What it is to do, but for the places of files. */
  readonly task: Readonly<Record<string, unknown>> & {
    readonly round: number;
    readonly seed: number;
    readonly env_steps: number;
  };
  readonly openWorld: (environmentCount: number) => Promise<PlayedWorld>;
  /** Called before every step of the world. @throws when there must not be one */
  readonly beforeStep: (environmentCount: number) => void;
  readonly onEvent: (event: TrainerEvent) => void;
  /** Called now and then while it shows that it lives. */
  readonly onProgress: () => Promise<void>;
}

export interface TrainerOutcome {
  readonly result: TrainerResult;
  /** Null when it diverged. */
  readonly state: ForeignState | null;
  /** The world that it played; null when it played elsewhere. */
  readonly played: Pick<PlayedWorld, 'visitation'> | null;
}

interface Places {
  readonly work: string;
  readonly program: string;
  readonly out: string;
  /** For what libraries leave lying: it goes when the round is over. */
  readonly temporary: string;
  readonly task: string;
  readonly events: string;
  readonly result: string;
}

/**
 * Has a program of the user train one round.
 * @throws ProgramFailure when it ends without a result, or not with exit code 0
 * @throws REQUEST_BAD_ARGUMENT when it cannot be started, or says or leaves what it should not
 */
export async function runTrainer(round: TrainerRound): Promise<TrainerOutcome> {
  const places = placesIn(await createWorkFolder(round.parent));
  try {
    await prepare(places, round);
    const trainer = await TrainerProcess.start({
      command: round.command,
      folder: places.program,
      environment: environmentOf(places, round),
    });
    try {
      const played = await follow(trainer, places, round);
      await trainer.succeeded();
      const result = await readResult(trainer, places);
      return { result, state: 'diverged' in result ? null : await readState(trainer, places, result), played };
    } finally {
      await trainer.kill();
    }
  } finally {
    await removeWorkFolder(places.work);
  }
}

function placesIn(work: string): Places {
  const out = path.join(work, 'out');
  return {
    work,
    out,
    temporary: path.join(work, 'tmp'),
    program: path.join(work, 'program'),
    task: path.join(work, 'task.json'),
    events: path.join(out, 'events.jsonl'),
    result: path.join(out, 'result.json'),
  };
}

async function prepare(places: Places, { program, checkpoint, policies, task }: TrainerRound): Promise<void> {
  await writeFolder(places.program, program);
  for (const folder of [places.out, places.temporary]) await mkdir(folder);
  const from = path.join(places.work, 'checkpoint');
  if (checkpoint !== null) await writeFolder(from, checkpoint);
  const onnx = new Map([...policies].map(([hash, bytes]) => [`${hash}.onnx`, bytes]));
  await writeFolder(path.join(places.work, 'policies'), onnx);
  const files = Object.fromEntries(
    [...policies.keys()].map((hash) => [hash, path.join(places.work, 'policies', `${hash}.onnx`)]),
  );
  const written = { ...task, checkpoint: checkpoint === null ? null : from, out: places.out, policies: files };
  await writeFile(places.task, `${JSON.stringify(written, null, 2)}\n`);
}

/** Ours, which holds no secret, and what it needs to find its task. Words of Python, because most will be written in it. */
function environmentOf(places: Places, { task, checkpoint }: TrainerRound): Record<string, string> {
  const ours = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return {
    ...Object.fromEntries(ours.filter(([name]) => !name.startsWith('THAW_') && !name.startsWith('NODE_'))),
    TMPDIR: places.temporary,
    THAW_TASK: places.task,
    THAW_OUT: places.out,
    THAW_ROUND: String(task.round),
    THAW_SEED: String(task.seed),
    THAW_ENV_STEPS: String(task.env_steps),
    THAW_CHECKPOINT: checkpoint === null ? '' : path.join(places.work, 'checkpoint'),
    THAW_WORLD_FD: String(WORLD_DESCRIPTOR),
    PYTHONPATH: [path.join(installationRoot(), 'python'), process.env['PYTHONPATH'] ?? []].flat().join(path.delimiter),
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONUNBUFFERED: '1',
    // The order of sets of words must not differ from attempt to attempt.
    PYTHONHASHSEED: '0',
  };
}

/** Listens until it has ended, and longer until all is read that it wrote. */
async function follow(
  trainer: TrainerProcess,
  { events }: Places,
  { openWorld, beforeStep, onEvent, onProgress }: TrainerRound,
): Promise<PlayedWorld | null> {
  let isHeard = false;
  const hear = (): void => void (isHeard = true);
  const follower = await LineFollower.open(events, (text, line) => {
    hear();
    onEvent(eventFromText(text, line));
  });
  const service = new WorldService(trainer.world, {
    open: openWorld,
    beforeStep: (count) => {
      beforeStep(count);
      hear();
    },
  });
  try {
    for (let isLast = false; !isLast;) {
      isLast = trainer.isOver;
      await follower.read();
      if (isHeard) await onProgress();
      isHeard = false;
      if (!isLast) await delay(POLL_MS);
    }
    return service.played;
  } finally {
    await service.close();
    await follower.close();
  }
}

async function readResult(trainer: TrainerProcess, { result }: Places): Promise<TrainerResult> {
  const text = await readFile(result, 'utf8').catch(() => null);
  if (text !== null) return resultFromText(text);
  throw trainer.failure(
    'the trainer ended with exit code 0 and without a result: there is no result.json in its folder THAW_OUT',
  );
}

async function readState(
  trainer: TrainerProcess,
  { out }: Places,
  { policies, checkpoint }: Exclude<TrainerResult, { diverged: unknown }>,
): Promise<ForeignState> {
  const contents = new Map<string, Uint8Array>();
  for (const [role, name] of Object.entries(policies)) {
    const file = await within(out, name);
    const bytes = file === null ? null : await readFile(file).catch(() => null);
    if (bytes === null) throw trainer.failure(missing(`the policy for ${role}`, name));
    contents.set(role, bytes);
  }
  const folder = await within(out, checkpoint);
  const files = folder === null ? null : await readFolder(folder).catch(unlessMissing);
  if (files === null) throw trainer.failure(missing('the checkpoint', checkpoint));
  return { policies: contents, files };
}

const missing = (what: string, name: string): string =>
  `the trainer's result names ${JSON.stringify(name)} for ${what}, which is not in its folder THAW_OUT`;

function unlessMissing(error: unknown): null {
  if (error instanceof ThawError) throw error;
  return null;
}

/** Where a name leads to in a folder; null where nothing is, or out of it. */
async function within(folder: string, name: string): Promise<string | null> {
  const [outer, inner] = await Promise.all([realpath(folder), realpath(path.resolve(folder, name)).catch(() => null)]);
  return inner !== null && inner.startsWith(outer + path.sep) ? inner : null;
}
