import { cpus } from 'node:os';

/** One figure over several repetitions. */
export interface Spread {
  readonly n: number;
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** What a benchmark prints; `-o json` prints just this. */
export interface BenchReport {
  readonly name: string;
  readonly ours: Readonly<Record<string, unknown>>;
  readonly peers: readonly Readonly<Record<string, unknown>>[];
  /** Ours divided by theirs, or by the bare thing; by name. */
  readonly ratios: Readonly<Record<string, Spread | number>>;
  readonly n: number;
  /** Whether what the benchmark is to show came out; absent where it only measures. */
  readonly holds?: boolean;
  readonly machine: { readonly processor: string; readonly cores: number; readonly node: string };
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = (sorted.length - 1) / 2;
  return {
    n: sorted.length,
    min: sorted[0]!,
    median: (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2,
    max: sorted.at(-1)!,
  };
}

export function machine(): BenchReport['machine'] {
  const [first] = cpus();
  return { processor: first?.model ?? 'unknown', cores: cpus().length, node: process.version };
}

/** A report as text: ratios first, then figures, one a line. */
export function reportText(report: BenchReport): string {
  const { holds } = report;
  const outcome = holds === undefined ? '' : holds ? ' · holds' : ' · DOES NOT HOLD';
  const lines = [
    `${report.name}${outcome} · n = ${report.n} · ${report.machine.processor} · ${report.machine.cores} cores · Node ${report.machine.node}`,
  ];
  for (const [name, value] of Object.entries(report.ratios)) lines.push(`  ratio ${name}: ${figureText(value)}`);
  for (const [name, value] of Object.entries(report.ours)) lines.push(`  ${name}: ${figureText(value)}`);
  for (const peer of report.peers) lines.push(`  peer ${figureText(peer)}`);
  return lines.join('\n');
}

function figureText(value: unknown): string {
  if (typeof value === 'number') return numberText(value);
  if (Array.isArray(value)) return listText(value);
  if (isSpread(value)) {
    const { n, min, median, max } = value;
    return `${numberText(median)} (min ${numberText(min)}, max ${numberText(max)}, n ${n})`;
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, inner]) => `${name} ${figureText(inner)}`)
      .join(', ');
  }
  return String(value);
}

/** Repeated figures as their spread, words as they are. */
function listText(values: readonly unknown[]): string {
  const isFigures = values.length > 0 && values.every((value) => typeof value === 'number');
  return isFigures ? figureText(spreadOf(values)) : values.join(' ');
}

function numberText(value: number): string {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(4)));
}

function isSpread(value: unknown): value is Spread {
  return typeof value === 'object' && value !== null && 'median' in value && 'min' in value;
}
