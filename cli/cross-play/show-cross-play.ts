import { recordFrom, type Column } from '../../learning/results/column.ts';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { readConfiguration } from '../../infra/configuration.ts';
import type { CrossPlayRecord } from '../../infra/postgres/cross-play-rows.ts';
import { findExperiment, type ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { crossPlayMatrix, type CrossPlayEntry, type CrossPlayRow } from '../../learning/measures/cross-play-matrix.ts';
import { crossPlay, type CrossPlayOutcome } from './cross-play.ts';
import type { CrossPlayRequest } from './cross-play-plan.ts';
import { createCrossPlayProgress } from './cross-play-progress.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { csvText, listingText, type ListingFormat } from '../table-formats/listing.ts';
import { measureText, pluralText } from '../../web/documents/quantity-text.ts';
import { withDatabase } from '../services/service-session.ts';
import { print } from '../terminal/terminal.ts';

/** Plays what is missing of the cross-play of an experiment, and prints all of it. */
export async function showCrossPlay(id: string, request: CrossPlayRequest, format: ListingFormat): Promise<void> {
  await withDatabase(async (database) => {
    const experiment = await findExperiment(database, id);
    const artifacts = createFolderStore(readConfiguration(process.env).artifacts);
    const progress = await createCrossPlayProgress();
    const outcome = await crossPlay(experiment, request, { database, artifacts, onProgress: progress.show }).finally(
      progress.close,
    );
    print(crossPlayIn({ experiment, request, outcome }, format));
  });
}

interface Shown {
  readonly experiment: Pick<ExperimentRecord, 'id' | 'name' | 'resolved'>;
  readonly request: CrossPlayRequest;
  readonly outcome: CrossPlayOutcome;
}

/** A cross-play in one of the three formats. */
export function crossPlayIn(shown: Shown, format: ListingFormat): string {
  const { resolved } = shown.experiment;
  const { records } = shown.outcome;
  if (format === 'csv') return csvText(PAIR_COLUMNS, records);
  const matrix = crossPlayMatrix(Object.keys(resolved.variants), records);
  return format === 'json' ? jsonText(documentOf(shown, matrix), 2) : matrixText(shown, matrix);
}

const PAIR_COLUMNS: readonly Column<CrossPlayRecord>[] = [
  { key: 'variant', value: ({ rowVariant }) => rowVariant },
  { key: 'seed', value: ({ rowSeed }) => rowSeed },
  { key: 'partner_variant', value: ({ columnVariant }) => columnVariant },
  { key: 'partner_seed', value: ({ columnSeed }) => columnSeed },
  { key: 'episodes', value: ({ episodes }) => episodes },
  { key: 'return_mean', value: ({ returnMean }) => returnMean },
  { key: 'return_std', value: ({ returnStd }) => returnStd },
  { key: 'evaluation_seed', value: ({ evaluationSeed }) => evaluationSeed },
  { key: 'simulator_hash', value: ({ simulatorHash }) => simulatorHash },
  { key: 'policies', value: ({ learnerArtifacts }) => Object.values(learnerArtifacts).join(' ') },
  { key: 'partner_policies', value: ({ partnerArtifacts }) => Object.values(partnerArtifacts).join(' ') },
];

function documentOf({ experiment, request, outcome }: Shown, matrix: readonly CrossPlayRow[]) {
  const variants = matrix.map(({ variant }) => variant);
  const { seeds, evaluationSeed, records, simulators, reasons } = outcome;
  return {
    experiment: { id: experiment.id, name: experiment.name },
    episodes: request.episodes,
    seeds,
    evaluation_seed: evaluationSeed,
    simulators,
    matrix: matrix.map(({ variant, entries, otherSeed, familiarity }) => ({
      variant,
      partners: Object.fromEntries(variants.map((partner, index) => [partner, entries[index]!])),
      other_seed: otherSeed,
      own_minus_other_seed: familiarity && {
        n: familiarity.n,
        mean: familiarity.mean,
        ci95: familiarity.interval,
      },
    })),
    pairs: records.map((record) => recordFrom(PAIR_COLUMNS, record)),
    not_played: reasons,
  };
}

function matrixText({ experiment, request, outcome }: Shown, matrix: readonly CrossPlayRow[]): string {
  const columns: Column<CrossPlayRow>[] = [
    { key: 'variant', title: 'learners \\ partners', value: ({ variant }) => variant },
    ...matrix.map(({ variant }, index): Column<CrossPlayRow> => ({
      key: variant,
      align: 'right',
      value: ({ entries }) => entryText(entries[index]!),
    })),
    { key: 'other_seed', title: 'own, other seed', align: 'right', value: ({ otherSeed }) => entryText(otherSeed) },
    { key: 'familiarity', title: 'own − other seed', align: 'right', value: familiarityText },
  ];
  const { simulators, seeds, reasons } = outcome;
  return [
    simulators.length === 0
      ? `${experiment.id}  no pair can play yet`
      : `${experiment.id}  mean return of ${pluralText(request.episodes, 'episode')} a pair on ${simulators.join(', ')}`,
    listingText(columns, matrix, 'table'),
    [
      `A row for the learners, a column for their partners; mean ± standard deviation over the seeds that both have`,
      `finished (how many, of ${seeds.length}). own − other seed: what is lost beside a stranger of the same recipe, paired by`,
      'seed, with its 95 % interval from five seeds on.',
    ].join('\n'),
    ...(simulators.length > 1 ? ['Every row plays in the first train simulator of its own variant.'] : []),
    ...reasons,
  ].join('\n\n');
}

function entryText(entry: CrossPlayEntry | null): string {
  if (entry === null) return '–';
  const spread = Number.isNaN(entry.std) ? '' : ` ± ${measureText(entry.std)}`;
  return `${measureText(entry.mean)}${spread} (${entry.n})`;
}

function familiarityText({ familiarity }: CrossPlayRow): string {
  if (familiarity === null) return '–';
  const { mean, interval } = familiarity;
  return `${measureText(mean)}${interval === null ? '' : ` [${interval.map(measureText).join(', ')}]`}`;
}
