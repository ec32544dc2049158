import { z } from 'zod';
import { listLineages, type PoolMembership } from '../../infra/postgres/lineage-rows.ts';
import { groupRows } from '../../learning/results/result-summary.ts';
import { poolSchema, type Pool } from '../contract/simulators.ts';
import { askedRun } from './asked-run.ts';
import { defineRoute } from './route.ts';

export const poolRoute = defineRoute({
  path: '/runs/{id}/pool',
  summary: 'Which simulators a run trained on from which round on.',
  query: z.strictObject({}),
  answer: poolSchema,
  async load({ database }, { id }) {
    const run = await askedRun(database, id);
    const [lineage] = await listLineages(database, [run.id], { refused: false });
    const pools = groupRows(lineage?.pools ?? [], ({ round }) => round);
    return { pools: [...pools].map(([round, members]) => ({ round, members: members.map(memberDocument) })) };
  },
});

function memberDocument(entry: PoolMembership): Pool['pools'][number]['members'][number] {
  const { name, simulatorHash: hash, weight, parents, reason, failure, contribution } = entry;
  return { name, hash, weight, parents: [...parents], reason, failure, contribution };
}
