import { z } from 'zod';
import { findExperimentId } from '../../infra/postgres/experiment-rows.ts';
import { listSensitivities, type RunSensitivity } from '../../infra/postgres/sensitivity-rows.ts';
import { groupRows } from '../../learning/results/result-summary.ts';
import { mean } from '../../learning/statistics/moments.ts';
import { sensitivitySchema, type Sensitivity } from '../contract/results.ts';
import { defineRoute } from './route.ts';

export const sensitivityRoute = defineRoute({
  path: '/experiments/{id}/sensitivity',
  summary: 'What policies lose where a rule is scaled, or another scripted partner is there.',
  query: z.strictObject({}),
  answer: sensitivitySchema,
  isKept: true,
  async load({ database }, { id }) {
    const rows = await listSensitivities(database, await findExperimentId(database, id));
    return { rows: [...groupRows(rows, keyOf).values()].map(foldOf) };
  },
});

const keyOf = ({ variant, kind, name, factor }: RunSensitivity): string =>
  JSON.stringify([variant, kind, name, factor]);

function foldOf(rows: readonly RunSensitivity[]): Sensitivity['rows'][number] {
  const { variant, kind, name, factor } = rows[0]!;
  return {
    variant,
    kind,
    name,
    factor,
    n: rows.length,
    return_mean: mean(rows.map(({ returnMean }) => returnMean)),
    loss: meanLoss(rows),
    cliffs: rows.filter(({ isCliff }) => isCliff === true).length,
  };
}

/** Over the runs that learnt something: the others have nothing to lose. */
function meanLoss(rows: readonly RunSensitivity[]): number {
  const losses = rows.map(({ loss }) => loss).filter((loss) => !Number.isNaN(loss));
  return losses.length === 0 ? NaN : mean(losses);
}
