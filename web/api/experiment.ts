import { z } from 'zod';
import { findSummary } from '../../infra/postgres/experiment-list.ts';
import { findExperiment, type ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { listMeasuredScores, OPTIONAL_SCORES } from '../../infra/postgres/measured-scores.ts';
import { listRuns } from '../../infra/postgres/run-rows.ts';
import { findUsedImports } from '../../infra/postgres/used-import-rows.ts';
import { METRICS } from '../../learning/results/result-columns.ts';
import type { PanelName } from '../../schemas/resolved-experiment.ts';
import { experimentSchema, type Experiment } from '../contract/experiments.ts';
import { loadProgress } from '../documents/load-progress.ts';
import { summaryDocument } from './experiments.ts';
import { defineRoute, type ApiContext } from './route.ts';

export const experimentRoute = defineRoute({
  path: '/experiments/{id}',
  summary: 'An experiment: what it is, how far it has come, and its resolved document.',
  query: z.strictObject({}),
  answer: experimentSchema,
  async load(context, { id }) {
    const experiment = await findExperiment(context.database, id);
    const { resolved, forked } = experiment;
    return {
      ...summaryDocument(await findSummary(context.database, experiment.id)),
      description: resolved.description,
      labels: resolved.labels,
      program_version: experiment.programVersion,
      result_hash: experiment.resultHash,
      forked_from: forked?.from ?? null,
      learners: [...Object.values(resolved.variants)[0]!.learners],
      panels: {
        train: panel(experiment, 'train'),
        validation: panel(experiment, 'validation'),
        test: panel(experiment, 'test'),
      },
      seeds: [...resolved.seeds],
      variants: variantDocuments(experiment),
      imports: await importDocuments(context, experiment),
      metrics: await measuredMetrics(context, experiment),
      progress: await progressDocument(context, experiment),
      resolved: { ...resolved },
    };
  },
});

/** What is in a panel of some variant: where each is tested on the others, no panel is that of all. */
function panel({ resolved }: ExperimentRecord, name: PanelName): string[] {
  return [...new Set(Object.values(resolved.variants).flatMap(({ panels }) => panels[name]))];
}

function variantDocuments({ resolved }: ExperimentRecord): Experiment['variants'] {
  return Object.entries(resolved.variants).map(([name, { strategy, algorithm, budget }]) => ({
    name,
    strategy: strategy.kind,
    algorithm: algorithm.name,
    env_steps: budget.env_steps,
    rounds: budget.rounds,
    specialist: resolved.specialists[name] ?? null,
  }));
}

async function importDocuments({ database }: ApiContext, { id }: ExperimentRecord): Promise<Experiment['imports']> {
  const imports = await findUsedImports(database, id);
  return imports.map(({ personalData, ...rest }) => ({ ...rest, personal_data: personalData }));
}

async function progressDocument(
  { database }: ApiContext,
  experiment: ExperimentRecord,
): Promise<Experiment['progress']> {
  const runs = await listRuns(database, experiment.id);
  const { share, stepsPerSecond, remainingS } = await loadProgress(database, experiment, runs);
  return { share, steps_per_second: stepsPerSecond, remaining_s: remainingS };
}

const OPTIONAL: ReadonlySet<string> = new Set(OPTIONAL_SCORES.flatMap((score) => [score, `best_${score}`]));

/** Before anything is measured all of them, since nobody knows yet. */
async function measuredMetrics({ database }: ApiContext, { id }: ExperimentRecord): Promise<string[]> {
  const measured = await listMeasuredScores(database, id);
  return METRICS.filter((metric) => measured.size === 0 || !OPTIONAL.has(metric) || measured.has(metric));
}
