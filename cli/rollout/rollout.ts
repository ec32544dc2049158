import { existsSync } from 'node:fs';
import path from 'node:path';
import { EpisodeSource } from '../../learning/rollout/episode-source.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { SimulatorData, World } from '../../simulators/contract.ts';
import { keyFrom, PURPOSE } from '../../simulators/random.ts';
import { catalogueSimulator } from '../../specification/simulator-names.ts';
import { playSteps, type RolloutStep } from '../../web/replay/play-steps.ts';
import { readJson } from '../files/json-file.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { openNamedWorld, parseArgument, unknownName } from '../simulators/open-world.ts';
import { recordEpisodes } from './record-episodes.ts';
import { type ActionSource, createChooser } from './rollout-actions.ts';
import { writePicture } from './rollout-picture.ts';
import { note, print } from '../terminal/terminal.ts';

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
  /** How many episodes are recorded, with what everybody did; undefined for one as it always was printed. */
  readonly episodes: number | undefined;
  /** Steps are printed without it too, unless there is a picture. */
  readonly output: 'json' | undefined;
}

/** Steps one simulator, prints every step as a line of JSON, doubles in full, and renders the episode where asked to. */
export async function rollout(request: RolloutRequest): Promise<void> {
  const world = openNamedWorld(request.family, request.options);
  const simulator = await readSimulator(world, request.simulator);
  refusePolicyPartners(simulator);
  if (request.episodes !== undefined) {
    return recordEpisodes({ world, simulator, name: request.simulator }, { ...request, episodes: request.episodes });
  }
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
    const left = await playSteps(world, batch, chooser, (step) => {
      if (isPrinted) print(jsonText(step));
      if (request.render !== undefined) steps.push(step);
    });
    if (left > 0 && Number.isFinite(left)) note(`The episode is over; ${left} further steps were not played.`);
  } finally {
    await chooser.release();
  }
  if (request.render === undefined) return;
  const subtitle = `simulator ${path.basename(request.simulator)}, seed ${request.seed}`;
  await writePicture(request.render, { world, simulator, chooser, batch, steps }, { subtitle });
}

/** Their seats would silently be played by whoever gives the other actions. */
function refusePolicyPartners({ partners }: SimulatorData): void {
  const held = Object.keys(partners).filter((seat) => partners[seat]!.kind === 'policy');
  if (held.length === 0) return;
  throw new ThawError('REQUEST_NOT_AVAILABLE', `rollout cannot play the policies on seat ${held.join(', ')}.`, {
    remedy: 'Leave these partners out, and give the actions of their seats by --policy or --actions.',
  });
}

/** A simulator of the catalogue by its name, or one that a file holds. */
export async function readSimulator(world: World, nameOrFile: string): Promise<SimulatorData> {
  const known = catalogueSimulator(world, nameOrFile);
  if (known !== undefined) return known;
  if (!existsSync(nameOrFile)) throw unknownName('simulator or file', nameOrFile, Object.keys(world.catalogue));
  return parseArgument(`The simulator in ${nameOrFile}`, world.simulatorSchema, await readJson(nameOrFile));
}
