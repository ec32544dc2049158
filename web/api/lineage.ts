import { z } from 'zod';
import { listLineages } from '../../infra/postgres/lineage-rows.ts';
import { lineageSchema, type Lineage } from '../contract/simulators.ts';
import { simulatorLives, type SimulatorLife } from '../documents/simulator-lives.ts';
import { askedRun } from './asked-run.ts';
import { defineRoute } from './route.ts';

export const lineageRoute = defineRoute({
  path: '/runs/{id}/lineage',
  summary: 'Where the simulators of a run came from and what became of them, refused candidates included.',
  query: z.strictObject({}),
  answer: lineageSchema,
  async load({ database }, { id }) {
    const run = await askedRun(database, id);
    const [lineage] = await listLineages(database, [run.id], { refused: true });
    return { simulators: lineage === undefined ? [] : simulatorLives(lineage).map(lifeDocument) };
  },
});

function lifeDocument(life: SimulatorLife): Lineage['simulators'][number] {
  return {
    name: life.name,
    hash: life.hash,
    parents: [...life.parents],
    failure: life.failure,
    reason: life.reason,
    stays: life.stays.map(({ entered, left }) => ({ entered, left })),
    exit_reason: life.exit?.reason ?? null,
    score: life.judged?.score ?? null,
    refusal: life.judged?.refusal ?? null,
    contribution: life.contribution,
    episodes: life.taught?.episodes ?? 0,
    first_return: life.taught?.firstReturn ?? null,
    last_return: life.taught?.lastReturn ?? null,
  };
}
