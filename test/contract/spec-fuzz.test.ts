import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { contentHash } from '../../specification/identity.ts';
import { panelSimulatorsByVariant } from '../../specification/panel-simulators.ts';
import { parseDocument } from '../../specification/parse-document.ts';
import { isRecord, type Path } from '../../specification/path.ts';
import { planExperiment } from '../../specification/plan.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { resolveExperiment, type Resolution } from '../../specification/resolve.ts';
import type { Problem } from '../../schemas/problem.ts';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { committedDocuments } from '../support/committed-documents.ts';
import { keysOf, mutantOf, typoOf, withKey, type Mutant } from '../support/mutate-spec.ts';
import { resolveDocument, specDocument } from '../support/spec-document.ts';

/** Another seed makes other mutants: `FUZZ_SEED=7 npx vitest run test/contract/spec-fuzz.test.ts`. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
const COUNT = Number(process.env['FUZZ_COUNT'] ?? 10_000);
/** One in so many mutants is of any committed experiment; the others are of small ones, which are read faster. */
const LARGE_EVERY = 200;
/** Of one in so many the distances of simulators are judged, which plays episodes. */
const JUDGED_EVERY = 10;

const ALL = committedDocuments();
const SMALL = [...ALL.filter((document) => JSON.stringify(document).length < 700), tinyDocument()];

/** The example with one variant and what else a spec may hold. */
function tinyDocument() {
  const { variants, simulators, ...rest } = specDocument();
  const { zero, far } = simulators;
  return {
    ...rest,
    labels: { paper: 'draft' },
    simulators: { zero, far },
    panels: { train: ['zero'], test: ['far'] },
    variants: { pool: variants['frozen'] },
    seeds: { first: 0, count: 2 },
    execution: { device: 'cpu', timeouts: { round: '10m' }, retries: { lost: 1 } },
  };
}

/** What a file with the text is, as the command line reads it. */
function read({ text, overrides }: Mutant, acceptsCloseSimulators: boolean): Resolution {
  const parsed = parseDocument(text);
  if (!parsed.ok) return parsed;
  const context = { fileName: 'mutant.json', registries: DEFAULT_REGISTRIES };
  return resolveExperiment(parsed.document, { ...context, overrides, acceptsCloseSimulators });
}

/** Everything that is done with an accepted spec before its first run. @returns what is wrong */
function prepare({ experiment }: Resolution & { ok: true }): string[] {
  const { variants } = experiment;
  const { runs } = planExperiment(experiment, DEFAULT_REGISTRIES, { training: 1, evaluation: 1 });
  const panels = panelSimulatorsByVariant(variants, DEFAULT_REGISTRIES);
  const stored: unknown = JSON.parse(JSON.stringify(experiment));
  return [
    ...(runs > 0 ? [] : ['plans no run']),
    ...(Object.keys(panels).length === Object.keys(variants).length ? [] : ['has no panels']),
    ...(isDeepStrictEqual(stored, experiment) ? [] : ['is another one when it is read back']),
  ];
}

/** Problems of the text, of arguments, or of all of it, have no place in the document. */
const ABOUT_ALL = /^(the end of the file|a value|a key in|a colon|a comma|at most \d+ levels|path=value|an object)/;
const ILLEGIBLE = /[\u0000-\u001f\u202e]/;
const REMEDY = /^[A-Z].*[.:}\d]$/s;

/** What is wrong with the way in which something wrong is told. Not by `expect`: that takes longer than finding it. */
function faultsOf({ code, path, found, expected, remedy }: Problem): string[] {
  const words = [path, found, expected, remedy];
  return [
    ...(code.startsWith('REQUEST_') ? [] : [`has the code ${code}`]),
    ...(path !== '' || ABOUT_ALL.test(expected) ? [] : ['has no place']),
    ...(found.trim() !== '' && expected.trim() !== '' ? [] : ['does not say what was found and expected']),
    ...(REMEDY.test(remedy) ? [] : [`has no remedy, but ${remedy}`]),
    ...(words.every((text) => text.length < 3000 && !ILLEGIBLE.test(text)) ? [] : ['cannot be read']),
  ];
}

/** What is wrong with how a mutant is dealt with; nothing when all is well. */
function faultsOfMutant(mutant: Mutant, index: number): { isAccepted: boolean; faults: string[] } {
  const resolution = read(mutant, index % JUDGED_EVERY !== 0);
  if (!resolution.ok) {
    const { problems } = resolution;
    return { isAccepted: false, faults: problems.length === 0 ? ['nothing is told'] : problems.flatMap(faultsOf) };
  }
  return { isAccepted: true, faults: [...prepare(resolution), ...resolution.unavailable.flatMap(faultsOf)] };
}

describe('a mutated spec', () => {
  it(`is refused with place, value and remedy, or it can be planned: ${COUNT} of them from seed ${SEED}`, () => {
    let acceptedCount = 0;
    for (let index = 0; index < COUNT; index += 1) {
      const mutant = mutantOf(index % LARGE_EVERY === 0 ? ALL : SMALL, SEED, index);
      const place = `seed ${SEED}, mutant ${index}: ${mutant.changes.join('; ')} ${mutant.overrides.join(' ')}`;
      try {
        const { isAccepted, faults } = faultsOfMutant(mutant, index);
        if (isAccepted) acceptedCount += 1;
        if (faults.length > 0) expect.fail(faults.join('; '));
      } catch (error) {
        throw new Error(place, { cause: error });
      }
    }
    // A mutator that breaks everything, or nothing, tests nothing.
    expect(acceptedCount).toBeGreaterThan(COUNT / 50);
    expect(acceptedCount).toBeLessThan(COUNT / 2);
  }, 300_000);
});

/** Maps whose keys are names that the author chooses. */
const FREE_NAMES = ['simulators', 'variants', 'labels'];

function isFreeName(place: Path): boolean {
  return FREE_NAMES.includes(String(place.at(-2)));
}

/** Places that mean the same: names that an author chose are left out. */
function meaningOf(document: unknown, place: Path): string {
  const family = isRecord(document) ? document['family'] : undefined;
  return contentHash([
    family ?? null,
    place.map((part, index) => ([...FREE_NAMES, 'randomization'].includes(String(place[index - 1])) ? '*' : part)),
  ]);
}

describe('a typo in a key', () => {
  it('[P96] is refused with the key that was meant, or with those that there are: each key of every committed experiment', () => {
    const random = new RandomStream(keyFrom(SEED));
    const seen = new Set<string>();
    for (const document of [...ALL, specDocument()]) {
      for (const place of keysOf(document)) {
        const meaning = meaningOf(document, place);
        if (isFreeName(place) || seen.has(meaning)) continue;
        seen.add(meaning);
        const key = String(place.at(-1));
        const typo = typoOf(key, random);
        if (key.length < 3 || typo === key) continue;
        const resolution = resolveDocument(withKey(document, place, typo));
        const problems = resolution.ok ? [] : resolution.problems;
        const about = problems.filter((problem) => problem.path.includes(typo) || problem.found.includes(typo));
        const hint = about.some(
          ({ nearest, expected }) => nearest !== undefined || /^(one of|a parameter|a seat)/.test(expected),
        );
        expect(hint, `${place.join('.')} as ${typo}: ${JSON.stringify(problems, null, 1)}`).toBe(true);
      }
    }
    expect(seen.size).toBeGreaterThan(100);
  });
});
