import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { EpisodeSource } from '../learning/episode-source.ts';
import { ThawError } from '../schemas/errors.ts';
import type { Batch, SimulatorData, World } from '../simulators/contract.ts';
import { keyFrom, PURPOSE } from '../simulators/random.ts';
import { parseDocument } from '../specification/parse-document.ts';
import { catalogueSimulator } from '../specification/simulator-names.ts';
import { jsonText } from './json-text.ts';
import { openNamedWorld, parseArgument, unknownName } from './open-world.ts';
import { createFilePolicy, type FilePolicy } from './file-policy.ts';
import { note, print } from './terminal.ts';

export interface RolloutRequest {
  readonly family: string;
  readonly options: unknown;
  /** Name in the catalogue, or a file with a simulator as specs write it. */
  readonly simulator: string;
  /** File with the start; drawn by the simulator and the seed when left out. */
  readonly start: string | undefined;
  /** File with the actions of every step; exactly one of `actions` and `policy` is given. */
  readonly actions: string | undefined;
  /** ONNX file of a policy that acts in every seat which no scripted partner holds. */
  readonly policy: string | undefined;
  /** Episode 0 of an evaluation with this seed. */
  readonly seed: number;
}

/** One line of output: the start (step 0) or what came of a step. */
interface RolloutStep {
  readonly step: number;
  /** By seat. */
  readonly observations: readonly (readonly number[])[];
  readonly rewards: readonly number[] | null;
  readonly state: Readonly<Record<string, unknown>>;
  readonly ended: boolean;
  readonly truncated: boolean;
}

/** Steps one simulator and prints every step as a line of JSON, doubles in full. */
export async function rollout(request: RolloutRequest): Promise<void> {
  const world = openNamedWorld(request.family, request.options);
  const simulator = await readSimulator(world, request.simulator);
  const batch = world.createBatch(1);
  const source = new EpisodeSource(world, [{ simulator, weight: 1 }], {});
  source.start(batch, 0, 0, keyFrom(request.seed, PURPOSE.evaluation, 0));
  if (request.start !== undefined) {
    batch.place(0, parseArgument('--start', world.startSchema, await readJson(request.start)));
  }
  const chooser = await createChooser(world, request);
  print(jsonText(stepRecord(world, batch, 0)));
  try {
    await play(world, batch, chooser);
  } finally {
    await chooser.release();
  }
}

/** Whoever decides on the actions of all seats, [N]. */
interface Chooser {
  /** How many steps there are actions for; Infinity for a policy. */
  readonly stepCount: number;
  choose(step: number, batch: Batch, actions: Int32Array): Promise<void>;
  release(): Promise<void>;
}

async function play(world: World, batch: Batch, chooser: Chooser): Promise<void> {
  const actions = new Int32Array(world.seatCount);
  for (let step = 0; step < chooser.stepCount; step += 1) {
    await chooser.choose(step, batch, actions);
    await batch.step(actions);
    print(jsonText(stepRecord(world, batch, step + 1)));
    if (batch.ended[0] !== 1 && batch.truncated[0] !== 1) continue;
    const left = chooser.stepCount - step - 1;
    if (left > 0 && Number.isFinite(left)) note(`The episode is over; ${left} further steps were not played.`);
    return;
  }
}

function stepRecord(world: World, batch: Batch, step: number): RolloutStep {
  const observations: number[][] = Array.from({ length: world.seatCount }, () => []);
  world.groups.forEach(({ seats, observationSize: size }, group) => {
    const seen = new Float64Array(seats.length * size);
    batch.observe(group, seen);
    seats.forEach((seat, index) => (observations[seat] = [...seen.subarray(index * size, (index + 1) * size)]));
  });
  return {
    step,
    observations,
    rewards: step === 0 ? null : [...batch.rewards],
    state: batch.state(0),
    ended: step > 0 && batch.ended[0] === 1,
    truncated: step > 0 && batch.truncated[0] === 1,
  };
}

async function createChooser(world: World, { actions, policy }: RolloutRequest): Promise<Chooser> {
  if (actions !== undefined && policy === undefined) return listedActions(world, await readJson(actions));
  if (policy !== undefined && actions === undefined) return policyActions(world, await createFilePolicy(policy, world));
  throw new ThawError('REQUEST_BAD_ARGUMENT', 'Give either --actions or --policy.');
}

function listedActions(world: World, document: unknown): Chooser {
  const counts = new Array<number>(world.seatCount).fill(1);
  for (const { seats, actions } of world.groups) {
    for (const seat of seats) counts[seat] = actions.kind === 'discrete' ? actions.count : 1;
  }
  const action = z
    .int()
    .min(0)
    .max(Math.max(...counts) - 1);
  const steps = parseArgument('--actions', z.array(z.array(action).length(world.seatCount)), document);
  return {
    stepCount: steps.length,
    async choose(step, _batch, into) {
      into.set(steps[step]!);
    },
    release: async () => undefined,
  };
}

function policyActions(world: World, policy: FilePolicy): Chooser {
  return {
    stepCount: world.episodeStepsMax,
    choose: (_step, batch, into) => policy.act(batch, into),
    release: () => policy.release(),
  };
}

/** A simulator of the catalogue by its name, or one that a file holds. */
export async function readSimulator(world: World, nameOrFile: string): Promise<SimulatorData> {
  const known = catalogueSimulator(world, nameOrFile);
  if (known !== undefined) return known;
  const text = await readFile(nameOrFile, 'utf8').catch(() => null);
  if (text === null) throw unknownName('simulator or file', nameOrFile, Object.keys(world.catalogue));
  return parseArgument(`The simulator in ${nameOrFile}`, world.simulatorSchema, parseJson(nameOrFile, text));
}

/** What a file holds as JSON. @throws REQUEST_FILE_UNREADABLE, REQUEST_NOT_JSON */
export async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ThawError('REQUEST_FILE_UNREADABLE', `${file} cannot be read: ${(error as Error).message}`);
  });
  return parseJson(file, text);
}

function parseJson(file: string, text: string): unknown {
  const parsed = parseDocument(text);
  if (parsed.ok) return parsed.document;
  const [problem] = parsed.problems;
  const { code, found, expected, remedy } = problem!;
  throw new ThawError(code, `${file}: found ${found}, expected ${expected}.`, { remedy });
}
