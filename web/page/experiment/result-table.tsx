import { useMemo, useState } from 'preact/hooks';
import type { Results } from '../../contract/results.ts';
import type { Decoded } from '../api/decoded.ts';
import { HeatLegend } from '../parts/heat-legend.tsx';
import { extentOf } from '../parts/heat.ts';
import { alikeText, countText, intervalText, metricText, numberText } from '../parts/number-text.ts';
import { moveByArrows } from './move-by-arrows.ts';
import { ResultCell, type Cell } from './result-cell.tsx';

type ShownResults = Decoded<Results>;

/** Seeds shown at first, and how many more at a time: a table of thousands would be slow to open. */
const SEEDS_STEP = 50;

/** A metric by seed and variant: each cell leads to its run, and the folded rows below say what it is over seeds. */
export function ResultTable({ results }: { readonly results: ShownResults }) {
  const { metric, variants, seeds, cells, comparability } = results;
  const [shownCount, setShownCount] = useState(SEEDS_STEP);
  const { bySeed, extent, text } = useMemo(() => lookOf(cells), [cells]);
  const caption = `${metricText(metric)} by seed and variant`;
  return (
    <>
      <div class="table-frame" role="region" aria-label={caption}>
        <table class="heat-table" onKeyDown={moveByArrows}>
          <caption class="unseen">{caption}. Arrow keys move between cells, Enter opens the run.</caption>
          <thead>
            <tr>
              <th scope="col" class="pinned">
                Seed
              </th>
              {variants.map(({ name }) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {seeds.slice(0, shownCount).map((seed, row) => (
              <tr key={seed}>
                <th scope="row" class="pinned number">
                  {seed}
                </th>
                {variants.map(({ name }, column) => (
                  <ResultCell
                    key={name}
                    cell={bySeed.get(seed)?.get(name)}
                    extent={extent}
                    text={text}
                    isFirst={row === 0 && column === 0}
                  />
                ))}
              </tr>
            ))}
          </tbody>
          <Folds variants={variants} />
        </table>
      </div>
      <div class="below-table">
        <HeatLegend extent={extent} />
        {seeds.length > shownCount && (
          <button type="button" onClick={() => setShownCount(shownCount + SEEDS_STEP)}>
            Show more seeds ({countText(seeds.length - shownCount)} left)
          </button>
        )}
      </div>
      <p class="about">{comparability}</p>
    </>
  );
}

function lookOf(cells: readonly Cell[]) {
  const values = cells.map(({ value }) => value);
  return { bySeed: cellsBySeed(cells), extent: extentOf(values), text: alikeText(values) };
}

function cellsBySeed(cells: readonly Cell[]): ReadonlyMap<number, ReadonlyMap<string, Cell>> {
  const bySeed = new Map<number, Map<string, Cell>>();
  for (const cell of cells) {
    const row = bySeed.get(cell.seed) ?? new Map<string, Cell>();
    bySeed.set(cell.seed, row.set(cell.variant, cell));
  }
  return bySeed;
}

type Variant = ShownResults['variants'][number];

const FOLDS: readonly (readonly [title: string, about: string, text: (variant: Variant) => string])[] = [
  ['n', 'Runs with a value, of those there should be', ({ n, n_expected }) => `${n} of ${n_expected}`],
  ['Mean', 'Over seeds', ({ mean }) => numberText(mean)],
  ['95 % interval', 'Of the mean, bootstrapped over seeds; none below five', ({ ci95 }) => intervalText(ci95)],
  ['IQM', 'Mean of the middle half', ({ iqm }) => numberText(iqm)],
  ['Std', 'Standard deviation over seeds', ({ std }) => numberText(std)],
  ['Verdicts', 'Of the last checkpoints', ({ verdicts }) => verdictsText(verdicts)],
];

const verdictsText = (verdicts: Variant['verdicts']): string =>
  Object.entries(verdicts)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(', ') || '–';

function Folds({ variants }: { readonly variants: readonly Variant[] }) {
  return (
    <tfoot>
      {FOLDS.map(([title, about, text]) => (
        <tr key={title}>
          <th scope="row" class="pinned" title={about}>
            {title}
          </th>
          {variants.map((variant) => (
            <td key={variant.name} class="number">
              {text(variant)}
            </td>
          ))}
        </tr>
      ))}
    </tfoot>
  );
}
