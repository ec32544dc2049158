import { z } from 'zod';
import { listPlays } from '../../infra/postgres/cross-play-rows.ts';
import { findExperiment } from '../../infra/postgres/experiment-rows.ts';
import { crossPlayMatrix, type CrossPlayResult } from '../../learning/measures/cross-play-matrix.ts';
import { matricesSchema, type Matrix } from '../contract/results.ts';
import { distanceMatrix } from '../documents/distance-matrix.ts';
import { defineRoute } from './route.ts';

export const matricesRoute = defineRoute({
  path: '/experiments/{id}/matrices',
  summary: 'How far simulators are from each other, and who plays with whom.',
  query: z.strictObject({}),
  answer: matricesSchema,
  async load({ database }, { id }) {
    const experiment = await findExperiment(database, id);
    const plays = await listPlays(database, experiment.id);
    return {
      distances: distanceMatrix(experiment),
      cross_play: plays.length === 0 ? null : playMatrix(Object.keys(experiment.resolved.variants), plays),
    };
  },
});

function playMatrix(variants: string[], plays: readonly CrossPlayResult[]): Matrix {
  const rows = crossPlayMatrix(variants, plays);
  return {
    rows: variants,
    columns: variants,
    values: rows.map(({ entries }) => entries.map((entry) => entry?.mean ?? null)),
  };
}
