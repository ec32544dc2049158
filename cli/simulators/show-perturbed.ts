import path from 'node:path';
import type { World } from '../../simulators/contract.ts';
import { perturbedPanel } from '../../simulators/perturbed-panel.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { openNamedWorld } from './open-world.ts';
import { readJson } from '../files/json-file.ts';
import { readSimulator } from '../rollout/rollout.ts';
import { print } from '../terminal/terminal.ts';

interface Request {
  readonly family: string;
  readonly options: unknown;
  readonly scales: readonly number[];
}

/**
 * Prints a simulator with each of its rules scaled, to be pasted into the `simulators` of a spec: as it is written, with
 * one rule laid over it.
 * @param nameOrFile in the catalogue, or a file with a simulator as specs write it
 */
export async function showPerturbed(nameOrFile: string, { family, options, scales }: Request): Promise<void> {
  const world = openNamedWorld(family, options);
  const simulator = await readSimulator(world, nameOrFile);
  const written = await readWritten(world, nameOrFile);
  const name = path.basename(nameOrFile, path.extname(nameOrFile));
  const entries = perturbedPanel(world, name, simulator, scales).map((member) => {
    const { rule } = member;
    return [member.name, { ...written, rules: { ...written.rules, [rule]: member.simulator.rules[rule] } }];
  });
  print(jsonText(Object.fromEntries(entries), 2));
}

interface WrittenSimulator {
  readonly rules?: Readonly<Record<string, number>>;
}

/** A simulator that is known to be legal, without its defaults. */
async function readWritten(world: World, nameOrFile: string): Promise<WrittenSimulator> {
  return (world.catalogue[nameOrFile]?.simulator ?? (await readJson(nameOrFile))) as WrittenSimulator;
}
