import { unknown, type Finding, type KnownProblem } from './contract.ts';
import { counted } from './figures.ts';
import type { VariantHistory } from './history.ts';

/** The same seed gave other numbers: only playing a round again can tell. */
export const notReproducible: KnownProblem = {
  id: 'not_reproducible',
  sign: 'the same seed gives other numbers',
  remedy:
    'Some chance is shared between streams or has no seed: look at the first value that differs. Built-in worlds draw all ' +
    'chance from keys, so a bridged world or a changed program is the first suspect.',
  examine,
};

function examine({ runs }: VariantHistory): Finding {
  const replayed = runs.filter(({ replay }) => replay !== null);
  const evidence = replayed.map(({ seed, replay }) => ({
    what: `seed ${seed}, played again`,
    value: replay!.summary,
    unit: '',
  }));
  const different = replayed.filter(({ replay }) => replay!.outcome === 'differs');
  if (different.length > 0) {
    const headline = `${different.length} of ${counted(replayed.length, 'round')} played again gave other numbers from the same seed.`;
    return { found: 'yes', headline, evidence };
  }
  const equal = replayed.filter(({ replay }) => replay!.outcome === 'equal');
  if (equal.length > 0) {
    return { found: 'no', headline: `${counted(equal.length, 'round')} played again gave the same numbers.`, evidence };
  }
  if (replayed.length > 0) {
    return unknown('Other numbers came out on another kind of machine, where equal ones are not promised.', evidence);
  }
  const [first] = runs;
  return unknown(`No round was played again; \`thaw diagnose --reproduce ${first?.runId ?? 'RUN'}\` does it with one.`);
}
