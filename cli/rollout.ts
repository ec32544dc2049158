import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EpisodeSource } from '../learning/rollout/episode-source.ts';
import { ThawError } from '../schemas/errors.ts';
import type { Batch, SimulatorData, World } from '../simulators/contract.ts';
import { keyFrom, PURPOSE } from '../simulators/random.ts';
import { FAMILIES } from '../simulators/registry.ts';
import { catalogueSimulator } from '../specification/simulator-names.ts';
import { parseJson, readJson } from './json-file.ts';
import { jsonText } from './json-text.ts';
import { openNamedWorld, parseArgument, unknownName } from './open-world.ts';
import type { Episode } from './render/episode.ts';
import { renderSvg } from './render/render-svg.ts';
import { type ActionSource, type Chooser, createChooser } from './rollout-actions.ts';
import { note, print } from './terminal.ts';

export interface RolloutRequest extends ActionSource {
  readonly family: string;
  readonly options: unknown;
  /** Name in the catalogue, or a file with a simulator as specs write it. */
  readonly simulator: string;
  /** File with the start; drawn by the simulator and the seed when left out. */
  readonly start: string | undefined;
  /** Episode 0 of an evaluation with this seed. */
  readonly seed: number;
  /** File that an animated picture is written to. */
  readonly render: string | undefined;
  /** Steps are printed without it too, unless there is a picture. */
  readonly output: 'json' | undefined;
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

/** Steps one simulator, prints every step as a line of JSON, doubles in full, and renders the episode where asked to. */
export async function rollout(request: RolloutRequest): Promise<void> {
  const world = openNamedWorld(request.family, request.options);
  const simulator = await readSimulator(world, request.simulator);
  refusePolicyPartners(simulator);
  const batch = world.createBatch(1);
  const source = new EpisodeSource(world, [{ simulator, weight: 1, randomization: {} }]);
  const key = keyFrom(request.seed, PURPOSE.evaluation, 0);
  source.start(batch, 0, 0, key);
  if (request.start !== undefined) {
    batch.place(0, parseArgument('--start', world.startSchema, await readJson(request.start)));
  }
  const chooser = await createChooser(world, batch, key, request);
  const steps: RolloutStep[] = [];
  const isPrinted = request.output === 'json' || request.render === undefined;
  try {
    await play(world, batch, chooser, (step) => {
      if (isPrinted) print(jsonText(step));
      if (request.render !== undefined) steps.push(step);
    });
  } finally {
    await chooser.release();
  }
  if (request.render === undefined) return;
  await writePicture(request.render, renderSvg(episodeOf({ world, simulator, chooser, batch, request, steps })));
  note(`${request.render}: ${steps.length} frames.`);
}

/** Their seats would silently be played by whoever gives the other actions. */
function refusePolicyPartners({ partners }: SimulatorData): void {
  const held = Object.keys(partners).filter((seat) => partners[seat]!.kind === 'policy');
  if (held.length === 0) return;
  throw new ThawError('REQUEST_NOT_AVAILABLE', `rollout cannot play the policies on seat ${held.join(', ')}.`, {
    remedy: 'Leave these partners out, and give the actions of their seats by --policy or --actions.',
  });
}

async function play(world: World, batch: Batch, chooser: Chooser, tell: (step: RolloutStep) => void): Promise<void> {
  const actions = new Int32Array(world.seatCount);
  tell(stepRecord(world, batch, 0));
  for (let step = 0; step < chooser.stepCount; step += 1) {
    await chooser.choose(step, batch, actions);
    await batch.step(actions);
    tell(stepRecord(world, batch, step + 1));
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

function episodeOf(played: {
  readonly world: World;
  readonly simulator: SimulatorData;
  readonly chooser: Chooser;
  readonly batch: Batch;
  readonly request: RolloutRequest;
  readonly steps: readonly RolloutStep[];
}): Episode {
  const { world, simulator, chooser, batch, request, steps } = played;
  return {
    title: world.family,
    subtitle: `simulator ${path.basename(request.simulator)}, seed ${request.seed}`,
    caption: FAMILIES[world.family]!.card.picture,
    ending: endingOf(steps.at(-1)!),
    view: world.view,
    groups: world.groups,
    cooperative: world.cooperative,
    drivers: Array.from({ length: world.seatCount }, (_, seat) => {
      const isScripted = batch.external[seat] !== 1;
      const name = isScripted ? `scripted: ${simulator.partners[seat]!.name}` : chooser.driver(seat);
      return { name, isScripted };
    }),
    frames: steps.map(({ state, rewards }) => ({ drawing: world.draw(state, simulator.rules), rewards })),
  };
}

function endingOf({ ended, truncated }: RolloutStep): string {
  if (ended) return 'task over';
  return truncated ? 'time over' : 'no more actions';
}

async function writePicture(file: string, svg: string): Promise<void> {
  await writeFile(file, svg).catch((error: unknown) => {
    throw new ThawError('REQUEST_BAD_ARGUMENT', `${file} cannot be written: ${(error as Error).message}`);
  });
}

/** A simulator of the catalogue by its name, or one that a file holds. */
export async function readSimulator(world: World, nameOrFile: string): Promise<SimulatorData> {
  const known = catalogueSimulator(world, nameOrFile);
  if (known !== undefined) return known;
  const text = await readFile(nameOrFile, 'utf8').catch(() => null);
  if (text === null) throw unknownName('simulator or file', nameOrFile, Object.keys(world.catalogue));
  return parseArgument(`The simulator in ${nameOrFile}`, world.simulatorSchema, parseJson(nameOrFile, text));
}
