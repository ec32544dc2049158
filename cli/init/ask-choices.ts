import { isCancel, multiselect, select, text } from '@clack/prompts';
import type { Family } from '../../simulators/contract.ts';
import { OFFERED_STRATEGIES, type StartChoices } from './start-document.ts';

/** How long runs train, as they are offered. */
const LENGTHS: readonly { readonly value: number; readonly label: string; readonly hint: string }[] = [
  { value: 100_000, label: 'a first look', hint: '100 000 env steps a run; the numbers mean little' },
  { value: 500_000, label: 'usual', hint: '500 000 env steps a run; enough for the small worlds' },
  { value: 2_000_000, label: 'long', hint: '2 000 000 env steps a run' },
];

/** What was not given by options; null when the user leaves. Asked on standard error: standard output is for results. */
export async function askChoices(
  defaults: Omit<StartChoices, 'name'>,
  given: Partial<StartChoices>,
  families: readonly Family[],
): Promise<Omit<StartChoices, 'name'> | null> {
  const family = given.family ?? (await askFamily(defaults.family, families));
  if (isCancel(family)) return null;
  const compare = given.compare ?? (await askCompared(defaults.compare));
  if (isCancel(compare)) return null;
  const seeds = given.seedCount ?? (await askSeeds(defaults.seedCount));
  if (isCancel(seeds)) return null;
  const envSteps = given.envSteps ?? (await askLength(defaults.envSteps));
  if (isCancel(envSteps)) return null;
  return { family, compare, seedCount: Number(seeds), envSteps };
}

const PLACE = { output: process.stderr };

function askFamily(initialValue: string, families: readonly Family[]) {
  const options = families.map(({ name, summary }) => ({ value: name, label: name, hint: summary }));
  return select({ ...PLACE, message: 'Which world?', options, initialValue });
}

function askCompared(initialValues: readonly string[]) {
  const options = Object.entries(OFFERED_STRATEGIES).map(([value, { does }]) => ({ value, label: value, hint: does }));
  return multiselect({ ...PLACE, message: 'Which strategies do you want to compare?', options, initialValues });
}

function askSeeds(initial: number) {
  return text({
    ...PLACE,
    message: 'How many seeds each? (five give intervals, papers want ten)',
    initialValue: String(initial),
    validate: (value) => (/^[1-9][0-9]{0,3}$/.test(value ?? '') ? undefined : 'A whole number from 1 to 9999.'),
  });
}

function askLength(initialValue: number) {
  return select({ ...PLACE, message: 'How long is a run?', options: [...LENGTHS], initialValue });
}
