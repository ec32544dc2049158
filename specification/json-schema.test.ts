import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { headSchema, experimentSchema } from '../schemas/experiment.ts';
import { settingShape } from '../schemas/experiment-setting.ts';
import { problemsOf, resolveDocument, specDocument } from '../test/support/spec-document.ts';
import { createSchemaCheck } from './check-schema.ts';
import { experimentJsonSchema, jsonSchemaFrom } from './json-schema.ts';
import { isRecord, type Path, valueAt } from './path.ts';
import { DEFAULT_REGISTRIES } from './registries.ts';
import { withSharedDefinitions } from './shared-definitions.ts';

/** As it is generated; compiling it takes most of the time that it is used for. */
const checkForEditors = createSchemaCheck(withSharedDefinitions(experimentJsonSchema(DEFAULT_REGISTRIES)));

/** A spec that uses every part of the envelope. */
function fullDocument() {
  return {
    ...specDocument(),
    $schema: 'experiment.schema.json',
    spec_version: 1,
    description: 'all of it',
    labels: { paper: 'draft' },
    strategy: { kind: 'pool', size: 2, weights: [1, 2] },
    specialists: ['each', 'panel'],
    seeds: { first: 0, count: 3 },
    budget: { env_steps: 100_000, rounds: 5, count: 'all' },
    evaluation: { every_rounds: 2, episodes: 10, final_episodes: 20, policy_mode: 'deterministic', seed: 1 },
    verdict: { watch: 0.1, collapsed: 0.2 },
    diversity: { metric: 'state_visitation' },
    execution: {
      device: 'cpu',
      max_concurrent_runs: 2,
      sampler_processes: 1,
      memory_mib: 2048,
      priority: 3,
      on_failure: 'continue',
      require_fingerprint: false,
      timeouts: { round: '10m', run: '6h', stall: '2m' },
      retries: { error: 2, lost: 5, out_of_memory: 3, timeout: 1, stalled: 1 },
    },
    output_dir: 'results',
  };
}

/** Paths of every key of every object in a document. */
function keyPaths(value: unknown, path: Path = []): Path[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...keyPaths(inner, [...path, key])]);
}

function replaced(document: unknown, path: Path, value: unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  return { ...(document as object), [part]: replaced(valueAt(document, [part]), rest, value) };
}

const STRANGE: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1,
  2,
  0.5,
  1e12,
  '',
  'x',
  '5m',
  'all',
  [],
  [0, 0],
  [0, 1],
  [0.1, 0.2],
  ['far'],
  {},
  { count: 2 },
];

describe('what zod accepts, ajv accepts', () => {
  const change = fc.tuple(fc.constantFrom(...keyPaths(fullDocument())), fc.constantFrom(...STRANGE));
  const changes = (maxLength: number) => fc.array(change, { minLength: 1, maxLength });
  const changed = (edits: readonly (readonly [Path, unknown])[]) =>
    edits.reduce<unknown>((document, [path, value]) => replaced(document, path, value), fullDocument());

  test('of the envelope', () => {
    const check = createSchemaCheck(jsonSchemaFrom(experimentSchema));
    let accepted = 0;
    fc.assert(
      fc.property(changes(3), (edits) => {
        const document = changed(edits);
        if (!experimentSchema.safeParse(document).success) return;
        accepted += 1;
        expect(check(document)).toEqual([]);
      }),
      { numRuns: 3000 },
    );
    expect(accepted).toBeGreaterThan(300);
  });

  test('and what resolves, the schema for editors accepts', () => {
    let accepted = 0;
    fc.assert(
      fc.property(changes(1), (edits) => {
        const document = changed(edits);
        if (!resolveDocument(document).ok) return;
        accepted += 1;
        expect(checkForEditors(document)).toEqual([]);
      }),
      { numRuns: 300 },
    );
    // About one in seventeen resolves: that none of 300 does is a chance of one in ten million.
    expect(accepted).toBeGreaterThan(0);
  });
});

describe('the schema for editors', () => {
  const documentOf = (family: string, simulator: object) => ({
    name: 'editor',
    family,
    simulators: { mine: simulator },
    variants: { only: { simulators: { mine: simulator } } },
  });

  test.each(Object.keys(DEFAULT_REGISTRIES.families))('knows the simulators of %s, in variants too', (family) => {
    const world = DEFAULT_REGISTRIES.families[family]!.open(
      DEFAULT_REGISTRIES.families[family]!.optionsSchema.parse({}),
    );
    for (const { simulator } of Object.values(world.catalogue)) {
      expect(checkForEditors(documentOf(family, simulator)).filter(({ path }) => path.includes('simulators'))).toEqual(
        [],
      );
    }
    const places = checkForEditors(documentOf(family, { rulez: {} })).map(({ path }) => path.join('.'));
    expect(places).toEqual(expect.arrayContaining(['simulators.mine.rulez', 'variants.only.simulators.mine.rulez']));
  });

  test.each([1, 2, 3, 5])('takes a start of %i agents, whatever the number the family has by default', (agents) => {
    const placesOf = (point: readonly number[]) => {
      const points = Array.from({ length: agents }, () => point);
      const simulator = { scenarios: { start: { agents: points, velocities: points, landmarks: points } } };
      return checkForEditors(documentOf('simple_spread', simulator))
        .map(({ path }) => path.join('.'))
        .filter((place) => place.includes('scenarios'));
    };
    expect(placesOf([0, 0.5])).toEqual([]);
    // What is no pair of numbers is no place, however many there are.
    for (const wrong of [[0], [0, 0.5, 1], [0, 1e6]]) expect(placesOf(wrong)).not.toEqual([]);
  });

  test.each(['simple_spread', 'simple_tag', 'foraging'])(
    'takes the name of an imported start in %s, and no other name',
    (family) => {
      const placesOf = (start: string) =>
        checkForEditors(documentOf(family, { scenarios: { start } })).filter(({ path }) => path.includes('scenarios'));
      expect(placesOf('import:near/e0@0')).toEqual([]);
      expect(placesOf('near')).not.toEqual([]);
    },
  );
});

describe('a key with a typing error is refused, with its right spelling', () => {
  /** Keys whose names the author chooses, so that another spelling is another name. */
  const isFree = (path: Path) =>
    (path.length === 2 && ['labels', 'simulators', 'variants', 'randomization'].includes(String(path[0]))) ||
    (path.length === 4 && path[2] === 'partners');
  const paths = keyPaths(fullDocument()).filter((path) => !isFree(path));

  test.each(paths.map((path) => [path.join('.'), path] as const))('%s', (_name, path) => {
    const key = String(path.at(-1));
    const wrong = `${key}x`;
    const document = replaced(fullDocument(), [...path.slice(0, -1), wrong], valueAt(fullDocument(), path));
    const problems = problemsOf(document);
    const problem = problems.find(({ path: place }) => place.endsWith(wrong));
    expect(problem).toMatchObject({ found: `the unknown key "${wrong}"`, nearest: key });
    expect(problems).toHaveLength(1);
  });
});

/** Keys that go with another family, and in the place of an algorithm. */
const ELSEWHERE = ['environment', 'trainer'];

test('the full document names every key of the envelope that goes with the others', () => {
  const document = fullDocument();
  const keys = [...Object.keys(headSchema.shape), ...Object.keys(settingShape)];
  expect(Object.keys(document).sort()).toEqual(keys.filter((key) => !ELSEWHERE.includes(key)).sort());
  expect(keys).toEqual(expect.arrayContaining(ELSEWHERE));
  expect(resolveDocument(document)).toMatchObject({ ok: true });
});

describe('every key of the schema for editors', () => {
  const properties = experimentJsonSchema(DEFAULT_REGISTRIES).properties as Record<string, { description?: string }>;

  test.each(Object.keys(properties))('%s is described', (key) => {
    expect(properties[key]!.description).toMatch(/\w/);
  });
});
