import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ThawError } from '../../schemas/errors.ts';
import type { Family } from '../../simulators/contract.ts';
import { nearestName } from '../../specification/nearest.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { pluralText } from '../../web/documents/quantity-text.ts';
import { note, print } from '../terminal/terminal.ts';
import { makeStart } from './make-start.ts';
import { DEFAULT_COMPARED, OFFERED_STRATEGIES, type StartChoices } from './start-document.ts';

const DEFAULTS = { family: 'simple_spread', compare: DEFAULT_COMPARED, seedCount: 3, envSteps: 500_000 };

/** Writes a first experiment with comments: asks on a terminal for what no option gives, and takes the usual elsewhere. */
export async function writeStart(
  file: string,
  given: Partial<StartChoices>,
  { replaces, asks }: { replaces: boolean; asks: boolean },
): Promise<ExitCode> {
  if (existsSync(file) && !replaces) {
    throw new ThawError('REQUEST_CONFLICT', `${file} is there already.`, {
      remedy: 'Name another file, or add --force to replace it.',
    });
  }
  const all = Object.values(DEFAULT_REGISTRIES.families);
  const families = all.filter(({ placeholder }) => placeholder === undefined);
  refuseBridged(all.find(({ name }) => name === given.family));
  checkNames(
    'family',
    given.family === undefined ? [] : [given.family],
    families.map(({ name }) => name),
  );
  checkNames('strategy to start with', given.compare ?? [], Object.keys(OFFERED_STRATEGIES));
  const choices = await chosen(given, asks, families);
  if (choices === null) return EXIT.interrupted;
  const { text, experiment } = makeStart({ ...choices, name: nameFrom(file) }, file);
  await mkdir(path.dirname(path.resolve(file)), { recursive: true });
  await writeFile(file, text, { flag: replaces ? 'w' : 'wx' });
  const variantCount = Object.keys(experiment.variants).length;
  const size = `${pluralText(variantCount, 'variant')} × ${pluralText(experiment.seeds.length, 'seed')}`;
  print(`${file}: ${choices.family}, ${size}`);
  note(nextSteps(file));
  return EXIT.done;
}

async function chosen(
  given: Partial<StartChoices>,
  asks: boolean,
  families: readonly Family[],
): Promise<Omit<StartChoices, 'name'> | null> {
  const isOnTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  if (!asks || !isOnTerminal) return { ...DEFAULTS, ...given };
  const { askChoices } = await import('./ask-choices.ts');
  return askChoices(DEFAULTS, given, families);
}

/** What simulators to compare in an environment of somebody else, only its owner knows. */
function refuseBridged(family: Family | undefined): void {
  if (family?.placeholder === undefined) return;
  throw new ThawError('REQUEST_NOT_AVAILABLE', `There is no first experiment of the family ${family.name} to write.`, {
    remedy: 'Copy one of experiments/bridged and change it, as docs/guides/python-environments.md tells.',
  });
}

function checkNames(what: string, names: readonly string[], known: readonly string[]): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    const nearest = nearestName(name, known);
    throw new ThawError('REQUEST_BAD_ARGUMENT', `"${name}" is no ${what}; there are ${known.join(', ')}.`, {
      remedy: nearest === undefined ? 'Name one of these.' : `Write "${nearest}", if that is what was meant.`,
    });
  }
}

/** The name of an experiment after its file: what names may not hold becomes a hyphen. */
export function nameFrom(file: string): string {
  const stem = path.basename(file, path.extname(file)).replace(/[^A-Za-z0-9._-]+/g, '-');
  return stem.replace(/^[._-]+/, '').slice(0, 64) || 'experiment';
}

function nextSteps(file: string): string {
  const word = /^[A-Za-z0-9_./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
  return [
    '',
    'What to do next:',
    `  thaw plan ${word}      what would run, and how long it takes`,
    `  thaw run ${word}       run it, and print the table`,
    `  thaw explain           what the keys of the file mean`,
  ].join('\n');
}
