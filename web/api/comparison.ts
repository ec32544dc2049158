import { z } from 'zod';
import { findExperiment } from '../../infra/postgres/experiment-rows.ts';
import { listResultRows } from '../../infra/postgres/result-rows.ts';
import { ThawError } from '../../schemas/errors.ts';
import { listNames } from '../../specification/nearest.ts';
import { comparisonSchema } from '../contract/results.ts';
import { comparisonDocument } from '../documents/comparison-document.ts';
import { pageResamples } from './page-resamples.ts';
import { DEFAULT_METRIC, metricSchema } from './result-query.ts';
import { defineRoute } from './route.ts';

const querySchema = z.strictObject({
  metric: metricSchema.default(DEFAULT_METRIC),
  baseline: z.string().optional().describe('The variant that all others are compared with; the first when left out.'),
});

export const comparisonRoute = defineRoute({
  path: '/experiments/{id}/comparison',
  summary: 'Statistics between the variants of an experiment.',
  query: querySchema,
  answer: comparisonSchema,
  isKept: true,
  async load({ database }, { id, query: { metric, baseline } }) {
    const { id: experimentId, resolved } = await findExperiment(database, id);
    const variants = Object.keys(resolved.variants);
    if (baseline !== undefined && !variants.includes(baseline)) {
      throw new ThawError(
        'REQUEST_BAD_ARGUMENT',
        `${experimentId} has no variant "${baseline}"; it has ${listNames(variants)}.`,
        { remedy: 'Name one of these as the baseline.' },
      );
    }
    const rows = await listResultRows(database, experimentId);
    const fewer = pageResamples(rows, metric, experimentId);
    const document = comparisonDocument({ rows, settings: resolved.variants }, metric, {
      baseline,
      ...(fewer !== null && { resamples: fewer.resamples }),
    });
    return fewer === null ? document : { ...document, warnings: [...document.warnings, fewer.warning] };
  },
});
