import type { Database } from '../../infra/postgres/database.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { listEvaluatedRounds } from '../../infra/postgres/result-rows.ts';
import type { RoundChoice } from '../../learning/results/round-choice.ts';
import { ThawError } from '../../schemas/errors.ts';

/** @throws REQUEST_BAD_ARGUMENT naming the rounds after which runs were evaluated, where a number is none of them */
export async function expectEvaluated(
  database: Database,
  { id }: Pick<ExperimentRecord, 'id'>,
  round: RoundChoice,
): Promise<void> {
  if (typeof round !== 'number') return;
  const rounds = await listEvaluatedRounds(database, id);
  if (rounds.includes(round)) return;
  const known = rounds.length === 0 ? 'none yet' : rounds.join(', ');
  throw new ThawError(
    'REQUEST_BAD_ARGUMENT',
    `No run of ${id} was evaluated after ${round} completed rounds. Evaluated: ${known}.`,
    { remedy: 'Name one of these rounds, or `last` or `best`.' },
  );
}
