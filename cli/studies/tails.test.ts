import { describe, expect, it } from 'vitest';
import { resultRow, scores } from '../../test/support/result-row.ts';
import { mean } from '../../learning/statistics/moments.ts';
import { measureText } from '../../web/documents/quantity-text.ts';
import { adaptingTable } from './adapting-table.ts';
import type { StudyRow, StudySimulatorReturn } from './read-results.ts';
import { blockOf } from './study-blocks.ts';
import { tailDifferences } from './tail-differences.ts';
import { tailMeasures } from './tail-measures.ts';
import { tailTable } from './tail-table.ts';

const SEEDS = [1000, 1001, 1002, 1003, 1004];
const DRAWS = [4, 8, 1, 7, 3, 6, 5, 2];
const NAMED = { zigzag: 20, corner: 10 };
/** What a variant gets more than `random` on draws and on named simulators, and how it differs from seed to seed. */
const GAINS: Readonly<Record<string, { draws: number; named: number; heldout: readonly number[] }>> = {
  random: { draws: 0, named: 0, heldout: [0, 0, 0, 0, 0] },
  novelty: { draws: 2, named: -1, heldout: [1, 1, 1, 1, 1] },
  failures: { draws: 3, named: 5, heldout: [2, 2, 2, 2, -3] },
};

const rows: StudyRow[] = Object.entries(GAINS).flatMap(([variant, { heldout }]) =>
  SEEDS.map((seed, index) => {
    const gain = heldout[index]! + index;
    const last = scores({ heldoutReturn: 50 + gain, worstHeldout: 40 + gain, cvarHeldout: 5 + gain });
    return { row: resultRow({ variant, seed, last }), cells: {} };
  }),
);
const returns: StudySimulatorReturn[] = Object.entries(GAINS).flatMap(([variant, { draws, named }]) =>
  SEEDS.flatMap((seed, index) => {
    const row = (panel: 'train' | 'test', simulator: string, returnMean: number): StudySimulatorReturn => ({
      ...{ variant, seed, panel, simulator, checkpoint: 'last', episodes: 320, returnStd: 1 },
      returnMean,
    });
    return [
      row('train', 'draw_01', -1000),
      ...Object.entries(NAMED).map(([name, value]) => row('test', name, value + named + index)),
      ...DRAWS.map((value, draw) => row('test', `draw_0${draw + 1}`, value + draws + index)),
    ];
  }),
);
const specialist: StudyRow = {
  row: resultRow({
    variant: 'specialist.panel',
    last: scores({ heldoutReturn: null, worstHeldout: null, cvarHeldout: null }),
  }),
  cells: {},
};

const TITLES = ['held-out', 'worst', 'worst tenth', 'draws', 'worst quarter of draws', 'named', 'worst named'];
/** What `random` has under the first seed, column by column. A quarter of eight draws are the two lowest. */
const FIRST = [50, 40, 5, mean(DRAWS), mean([1, 2]), mean(Object.values(NAMED)), 10];

const cellsOf = (text: string, variant: string, from = 0) =>
  text
    .slice(from)
    .split('\n')
    .find((line) => line.startsWith(`| \`${variant}\` `))!
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim());

describe('what tells the tail of a panel from its mean', () => {
  const measures = tailMeasures([...rows, specialist], returns);

  it('is measured of the test panel alone, of draws apart from what has a name', () => {
    expect(measures.map(({ title }) => title)).toEqual(TITLES);
    expect(measures.map(({ values }) => values.get('random')!.get(SEEDS[0]!))).toEqual(FIRST);
    for (const { values } of measures) {
      expect([...values.keys()]).toEqual(Object.keys(GAINS));
      expect([...values.get('failures')!.keys()]).toEqual(SEEDS);
    }
  });

  it('lacks what needs single simulators where these are not known', () => {
    expect(tailMeasures(rows, []).map(({ title }) => title)).toEqual(TITLES.slice(0, 3));
  });

  it('is told of every measured variant as mean and standard deviation over seeds', () => {
    const table = tailTable([...rows, specialist], returns);
    const middle = mean(SEEDS.map((_, index) => index));
    // Of 0 … 4.
    const std = measureText(Math.sqrt(2.5));
    expect(cellsOf(table, 'random')).toEqual(FIRST.map((value) => `${measureText(value + middle)} ± ${std}`));
    expect(table).not.toContain('specialist');
  });
});

describe('differences of tails', () => {
  const text = tailDifferences(rows, returns, ['random', 'novelty', 'absent']);
  const second = text.indexOf('Against `novelty`');

  it('are taken from each baseline under the same seeds, with wins, the p-values corrected for all that are compared', () => {
    // Of 2⁵ choices of signs two are as far from 0; two variants are compared.
    const p = measureText((2 * 2) / 2 ** SEEDS.length);
    const certain = (gain: number) => {
      const shown = measureText(gain);
      return `${gain > 0 ? '+' : ''}${shown} [${shown}, ${shown}], p ${p}, ${gain > 0 ? 5 : 0}/5`;
    };
    const { draws, named } = GAINS['failures']!;
    expect(cellsOf(text, 'failures').slice(3)).toEqual([draws, draws, named, named].map(certain));
    const novelty = GAINS['novelty']!;
    expect(cellsOf(text, 'failures', second).slice(3)).toEqual(
      [draws - novelty.draws, draws - novelty.draws, named - novelty.named, named - novelty.named].map(certain),
    );
    expect(cellsOf(text, 'random', second).slice(3, 4)).toEqual([certain(-novelty.draws)]);
  });

  it('count as won the seeds in which the variant is higher, and a tie as none', () => {
    const [heldout] = cellsOf(text, 'failures');
    expect(heldout).toMatch(/^\+1\.00 \[.*, 4\/5$/);
    const tied = tailDifferences(
      rows.map(({ row, cells }) => ({ row: { ...row, last: scores() }, cells })),
      [],
      ['random'],
    );
    expect(cellsOf(tied, 'failures')[0]).toMatch(/^0\.00 .*, 0\/5$/);
  });

  it('say of a baseline that has not been run that it has not', () => {
    expect(text).toContain('Against `absent`: it has not been run.');
    expect(text).toMatch(/bootstrap interval.*sign-flip.*Holm/);
  });
});

it('what adapting took is told as mean and most over seeds, in steps and as shares, and nothing where nothing is known', () => {
  const run = (variant: string, cells: StudyRow['cells']): StudyRow => ({ row: resultRow({ variant }), cells });
  const table = adaptingTable([
    run('failures', {
      scoring_env_steps: 0,
      mining_env_steps: 1000,
      adapt_env_steps_share: 0.01,
      adapt_wall_share: 0.02,
    }),
    run('failures', {
      scoring_env_steps: 0,
      mining_env_steps: 3000,
      adapt_env_steps_share: 0.03,
      adapt_wall_share: 0.05,
    }),
    run('broken', { adapt_env_steps_share: null }),
  ]);
  expect(cellsOf(table, 'failures')).toEqual(['0', '0', '2 000', '3 000', '2.0 %', '3.0 %', '3.5 %', '5.0 %']);
  expect(new Set(cellsOf(table, 'broken'))).toEqual(new Set(['–']));
});

describe('a part of a page', () => {
  const part = {
    ...{ experiment: 'example', title: 'Example', baseline: 'random', against: ['novelty'] },
    ...{
      curve: false,
      curvePoints: null,
      sensitivity: false,
      sensitivities: null,
      simulators: true,
      leaderboard: false,
    },
  };
  const KINDS = ['tails', 'tail-differences', 'adapting'];

  it('says of each of these blocks that it was not run, until it has been', () => {
    const before = { ...part, rows: null, simulatorReturns: null };
    for (const kind of KINDS) {
      expect(blockOf(`${kind} example`, [before])).toBe('Not run yet.');
      expect(blockOf(`${kind} example`, [{ ...before, rows, simulatorReturns: returns }])).toContain('`failures`');
    }
  });

  it('is compared with its baseline first, and then with the others that it names', () => {
    const text = blockOf('tail-differences example', [{ ...part, rows, simulatorReturns: returns }]);
    expect([...text.matchAll(/Against `(\w+)`/g)].map(([, name]) => name)).toEqual(['random', 'novelty']);
  });

  it('tells how its data are made, those of single simulators where it keeps them', () => {
    const none = { rows: null, simulatorReturns: null };
    const command =
      'npx thaw results example --per simulator --panel test -o csv > docs/studies/data/example.simulators.csv';
    expect(blockOf('command example', [{ ...part, ...none }])).toContain(command);
    expect(blockOf('command example', [{ ...part, ...none, simulators: false }])).not.toContain('--per');
  });
});
