import { mean, sampleStandardDeviation } from '../../learning/statistics/moments.ts';
import { markdownTable } from '../table-formats/markdown-table.ts';
import { groupRows } from '../../learning/results/result-summary.ts';
import { spreadText } from '../table-formats/spread-text.ts';
import type { StudySensitivity } from './read-results.ts';

type Rows = readonly StudySensitivity[];

/** One change in all runs of a variant that have learnt something. */
interface Change {
  readonly name: string;
  readonly losses: readonly number[];
  /** Runs in which it is a cliff. */
  readonly cliffs: number;
}

/** A line for every variant: the ±5 % of a rule and the partner that cost most, and which rules are cliffs in how many runs. */
export function sensitivityTable(rows: Rows): string {
  const lines = [...groupRows(rows, ({ variant }) => variant)].map(([variant, own]) => {
    const { found, judged } = cliffCounts(own);
    const small = changesOf(own.filter(isSmallChange));
    const cliffs = small.filter((change) => change.cliffs > 0).sort((a, b) => b.cliffs - a.cliffs);
    return [
      `\`${variant}\``,
      changeText(costliest(small)),
      `${found} of ${judged}`,
      cliffs.map((change) => `${change.name} (${change.cliffs})`).join(', ') || '–',
      changeText(costliest(changesOf(own.filter(({ kind }) => kind === 'partner')))),
    ];
  });
  const titles = ['largest loss at ±5 %', 'runs with a cliff', 'cliffs (runs)', 'worst partner'];
  return markdownTable(['variant', ...titles], lines);
}

/** In how many runs ±5 % of some rule is a cliff, of those of which it can be said. */
export function cliffCounts(rows: Rows): { readonly found: number; readonly judged: number } {
  const runs = groupRows(
    rows.filter(({ isCliff }) => isCliff !== null),
    ({ variant, seed }) => `${variant}/${seed}`,
  );
  const found = [...runs.values()].filter((run) => run.some(({ isCliff }) => isCliff === true));
  return { found: found.length, judged: runs.size };
}

/** Only of a ±5 % change it is ever said whether it is a cliff. */
function isSmallChange({ isCliff }: StudySensitivity): boolean {
  return isCliff !== null;
}

function changesOf(rows: Rows): Change[] {
  const groups = groupRows(rows, ({ name, factor }) => changeName(name, factor));
  return [...groups].map(([name, group]) => ({
    name,
    losses: group.map(({ loss }) => loss).filter((loss) => !Number.isNaN(loss)),
    cliffs: group.filter(({ isCliff }) => isCliff === true).length,
  }));
}

function changeName(name: string, factor: number | null): string {
  return factor === null ? `\`${name}\`` : `\`${name.replace(/^rules\./, '')}\` × ${factor}`;
}

/** Null where no run has learnt anything. */
function costliest(changes: readonly Change[]): Change | null {
  const known = changes.filter(({ losses }) => losses.length > 0);
  return known.reduce<Change | null>(
    (most, change) => (most === null || mean(change.losses) > mean(most.losses) ? change : most),
    null,
  );
}

function changeText(change: Change | null): string {
  if (change === null) return '–';
  const { name, losses } = change;
  return `${name}: ${spreadText({ mean: mean(losses), std: sampleStandardDeviation(losses) })}`;
}
