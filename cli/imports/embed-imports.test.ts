import { describe, expect, it } from 'vitest';
import type { Import } from '../../infra/postgres/import-rows.ts';
import { embedImports } from './embed-imports.ts';
import type { ImportLookup } from './import-lookup.ts';
import { checkedClaims, seatsFrom, startRuleFrom } from './import-request.ts';

const START = { players: [[0, 0, 1]], food: [] };
const imported = {
  name: 'near',
  family: 'foraging',
  starts: [{ name: 'e0@0', start: START }],
  partners: [
    { seat: 0, artifact: 'a'.repeat(64) },
    { seat: 1, artifact: 'b'.repeat(64) },
  ],
} as unknown as Import;

const knowing: ImportLookup = {
  find: async (name) => ({ found: name === 'near' ? imported : null, known: ['near'] }),
  policy: async (artifact) => Buffer.from(artifact),
};
const asking = (document: object, lookup = knowing) => embedImports({ family: 'foraging', ...document }, lookup);
const partnered = (name: string) => ({
  simulators: { a: { partners: { 1: { kind: 'policy', name, epsilon: 0.1 } } } },
});
const started = (start: unknown) => ({ variants: { v: { simulators: { a: { scenarios: { start } } } } } });

describe('imports that a spec names', () => {
  it('become what they contain', async () => {
    const partner = await asking(partnered('import:near/1'));
    const artifact = 'b'.repeat(64);
    expect(partner.document).toMatchObject({
      simulators: { a: { partners: { 1: { kind: 'policy', epsilon: 0.1, artifact } } } },
    });
    expect(JSON.stringify(partner.document)).not.toContain('import:');
    expect([...partner.policies.keys()]).toEqual([artifact]);
    expect((await asking(started('import:near/e0@0'))).document).toMatchObject(started(START));
  });

  it('of all starts make a simulator of each, in the panels, too', async () => {
    const recorded = { rules: { sight: 2 }, scenarios: { start: 'import:near/*', start_spread: 1 } };
    const document = {
      simulators: { r: recorded },
      panels: { train: ['base', 'r'], test: ['other'] },
      variants: { v: { panels: { test: ['r'] } } },
    };
    const { document: embedded, problems } = await asking(document);
    expect(problems).toEqual([]);
    expect(embedded).toEqual({
      family: 'foraging',
      simulators: { 'r-1': { rules: { sight: 2 }, scenarios: { start: START, start_spread: 1 } } },
      panels: { train: ['base', 'r-1'], test: ['other'] },
      variants: { v: { panels: { test: ['r-1'] } } },
    });
  });

  it.each([
    [started('import:far/*'), 'variants.v.simulators.a.scenarios.start', /no import is called "far"/],
    [partnered('import:far/1'), 'simulators.a.partners.1.name', /no import is called "far"/],
    [partnered('import:near/7'), 'simulators.a.partners.1.name', /no partner "7"/],
    [partnered('import:near'), 'simulators.a.partners.1.name', /no partner of its own/],
    [started('import:near/e1@0'), 'variants.v.simulators.a.scenarios.start', /no start "e1@0"/],
    [
      { ...started('import:near/e0@0'), family: 'simple_tag' },
      'variants.v.simulators.a.scenarios.start',
      /of the family foraging/,
    ],
  ])('that are not there are told with their place: %j', async (document, path, found) => {
    const { problems } = await asking(document);
    expect(problems).toEqual([
      expect.objectContaining({
        path,
        found: expect.stringMatching(found),
        remedy: expect.stringContaining('thaw import'),
      }),
    ]);
  });

  it('have stand-ins that differ, and are told, where nobody can be asked', async () => {
    const nobody: ImportLookup = { ...knowing, find: async () => null };
    const one = await asking({ ...partnered('import:near/1'), ...started('import:near/e0@0') }, nobody);
    const other = await asking(started('import:near/e1@0'), nobody);
    expect(one.problems).toEqual([]);
    expect(one.unchecked.toSorted()).toEqual(['import:near/1', 'import:near/e0@0']);
    expect(JSON.stringify(one.document)).not.toContain('import:');
    expect(JSON.stringify(other.document)).not.toContain('import:');
    expect(other.document).not.toMatchObject({ variants: (one.document as { variants: object }).variants });
  });

  it('are nobody elses strings', async () => {
    const document = {
      family: 'foraging',
      description: 'import:near/1',
      simulators: { a: { partners: { 0: { kind: 'scripted', name: 'import:near' } } } },
    };
    expect((await asking(document)).document).toEqual(document);
  });
});

describe('what is said of a recording', () => {
  const given = { name: 'near', source: 'here', licence: 'CC0-1.0', personalData: 'none' };
  it('is taken as it is, and refused with all that is missing', () => {
    expect(checkedClaims(given)).toEqual({
      name: 'near',
      claims: { source: 'here', licence: 'CC0-1.0', personalData: 'none' },
    });
    const missing = (): unknown => checkedClaims({});
    for (const option of ['--name', '--source', '--licence', '--personal-data']) expect(missing).toThrow(option);
    for (const key of Object.keys(given))
      expect(() => checkedClaims({ ...given, [key]: ' ' })).toThrow('Nothing is imported');
    expect(() => checkedClaims({ ...given, personalData: 'some' })).toThrow(/found "some"/);
  });

  it('names states and seats by rules', () => {
    expect(startRuleFrom('every:5')).toEqual({ kind: 'every', steps: 5 });
    expect(startRuleFrom('low:10')).toEqual({ kind: 'low', percent: 10 });
    for (const wrong of ['every:0', 'low:0', 'low:101', 'last', 'every', '']) expect(startRuleFrom(wrong)).toBeNull();
    expect(seatsFrom('2,0,2')).toEqual([0, 2]);
    expect(seatsFrom('none')).toEqual([]);
    for (const wrong of ['', '-1', '1,', 'all']) expect(seatsFrom(wrong)).toBeNull();
  });
});
