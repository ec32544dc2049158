import { METRICS } from '../../learning/results/result-columns.ts';
import { tableFrom } from '../../learning/results/table.ts';
import type { Comparison } from '../../web/contract/results.ts';
import { comparabilityText } from '../../web/documents/comparability.ts';
import { comparisonDocument } from '../../web/documents/comparison-document.ts';
import { compareColumns, comparedLines, profileColumns, profileLines } from './compare-columns.ts';
import { loadCompared, type ComparedExperiments } from './compared-experiments.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { unknownName } from '../simulators/open-world.ts';
import { withDatabase } from '../services/service-session.ts';
import { TABLE_FORMATS, type TableFormatName } from '../table-formats/index.ts';
import { print } from '../terminal/terminal.ts';

export interface CompareRequest {
  readonly metric: string;
  /** The variant that all others are compared with; the first of all when undefined. */
  readonly baseline: string | undefined;
  /** Whether performance profiles are wanted instead of the table. */
  readonly isProfile: boolean;
  readonly format: TableFormatName;
}

/**
 * Prints statistics between the variants of experiments.
 * @throws REQUEST_UNKNOWN_ID
 * @throws REQUEST_BAD_ARGUMENT when there is no such metric or variant
 */
export async function compareExperiments(ids: readonly string[], request: CompareRequest): Promise<void> {
  if (!METRICS.includes(request.metric)) throw unknownName('metric', request.metric, METRICS);
  await withDatabase(async (database) => {
    const compared = await loadCompared(database, ids);
    const names = Object.keys(compared.settings);
    const { metric, baseline } = request;
    if (baseline !== undefined && !names.includes(baseline)) throw unknownName('variant', baseline, names);
    print(comparisonIn(compared, comparisonDocument(compared, metric, { baseline }), request));
  });
}

function comparisonIn(
  compared: ComparedExperiments,
  comparison: Comparison,
  { format, isProfile }: CompareRequest,
): string {
  if (format === 'json') return jsonText({ experiments: experimentHeads(compared), ...comparison }, 2);
  const table = isProfile
    ? tableFrom(profileColumns(comparison), profileLines(comparison))
    : tableFrom(compareColumns(comparison.baseline), comparedLines(comparison));
  if (format === 'csv') return TABLE_FORMATS.csv(table);
  const notes = isProfile ? profileNotes(comparison) : compareNotes(compared, comparison);
  const head = headText(compared, comparison);
  return format === 'table'
    ? `${head}\n\n${TABLE_FORMATS.table(table, notes)}`
    : TABLE_FORMATS[format](table, [head, ...notes]);
}

function experimentHeads({ experiments }: ComparedExperiments): Record<string, unknown>[] {
  return experiments.map(({ id, name, version, resultHash }) => ({ id, name, version, hash: resultHash }));
}

function headText({ experiments }: ComparedExperiments, { metric, baseline }: Comparison): string {
  const ids = experiments.map(({ id }) => id).join(', ');
  return `${metric} of ${ids}${baseline === null ? '' : `, all against ${baseline}`}`;
}

/** What columns mean, what to beware of, and each pair in words; a blank line between them. */
function compareNotes(compared: ComparedExperiments, { baseline, pairs, warnings }: Comparison): string[] {
  const words = pairs.map(({ summary }) => summary);
  return [
    'n runs of those expected; in brackets 95 % bootstrap intervals over runs, none below five. IQM: mean of the middle half.',
    ...(pairs.length === 0
      ? ['There is nothing to compare with: this is one variant.']
      : [
          `P(> ${baseline}): how likely a run has more than one of ${baseline}, ties half. − ${baseline}: mean difference of pairs of`,
          'runs with equal seeds. p: Welch of the runs, Wilcoxon of the pairs, each corrected after Holm for all variants shown.',
        ]),
    comparabilityText(compared.rows),
    ...warningNotes(warnings),
    ...(words.length === 0 ? [] : ['', ...words]),
  ];
}

function warningNotes(warnings: readonly string[]): string[] {
  return warnings.length === 0 ? [] : ['', ...warnings.map((warning) => `Beware: ${warning}`)];
}

function profileNotes({ warnings }: Comparison): string[] {
  return [
    'The share of the runs of each variant that are above each threshold: a variant whose shares are higher throughout is better at',
    'every quantile, where more is better.',
    ...warningNotes(warnings),
  ];
}
