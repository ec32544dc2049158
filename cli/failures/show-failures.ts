import type { Database } from '../../infra/postgres/database.ts';
import {
  listFailures,
  listMadeSimulators,
  listMinedSimulators,
  listWholeFailures,
} from '../../infra/postgres/failure-rows.ts';
import { failureName } from '../../learning/failures/contract.ts';
import type { ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import { isThawError, ThawError } from '../../schemas/errors.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { FAILURE_COLUMNS, failureRecord, madeRecord, minedRecord } from './failure-columns.ts';
import { failureText, type ShownFailure } from './failure-text.ts';
import { failuresText, watchCommand } from './failures-text.ts';
import { failureId, parseFailureId } from '../../web/replay/failure-id.ts';
import { findFailure } from './find-failure.ts';
import { findTarget, isInScope, type Scope, scopeOf } from '../runs/find-target.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { csvText, type ListingFormat } from '../table-formats/listing.ts';
import { noFailuresText } from './no-failures.ts';
import { withDatabase } from '../services/service-session.ts';
import { note, print } from '../terminal/terminal.ts';

export interface FailuresRequest extends Scope {
  readonly group: number | undefined;
  readonly format: ListingFormat;
}

/** Prints the failures that were mined for an experiment or a run, or one of them in words. */
export async function showFailures(id: string, request: FailuresRequest): Promise<void> {
  await withDatabase((database) =>
    parseFailureId(id) !== null ? showOne(database, id, request) : showList(database, id, request),
  );
}

async function showList(database: Database, id: string, request: FailuresRequest): Promise<void> {
  const target = await findTarget(database, id);
  const { experiment, runs, run } = target;
  const scope = scopeOf(target, request);
  const asked = (row: { variant: string; seed: number }): boolean => isInScope(row, scope);
  const stored = { experimentId: experiment.id, runId: run?.id };
  const inScope = (await listFailures(database, stored)).filter(asked);
  const isOfGroup = ({ group }: { group: number }): boolean => request.group === undefined || group === request.group;
  const failures = inScope.filter(isOfGroup);
  const mined = (await listMinedSimulators(database, experiment.id)).filter(asked);
  if (failures.length === 0) {
    const { resolved } = experiment;
    note(noFailuresText({ resolved, runs, failures: inScope, mined }, scope, DEFAULT_REGISTRIES.strategies));
  }
  if (request.format === 'csv') print(csvText(FAILURE_COLUMNS, failures));
  else if (request.format === 'json') {
    // Only here are the steps of so many episodes told, and so read.
    const whole = (await listWholeFailures(database, stored)).filter(asked).filter(isOfGroup);
    print(jsonText({ ...headOf(experiment), failures: whole.map(failureRecord), mined: mined.map(minedRecord) }, 2));
  } else if (failures.length > 0) print(failuresText({ experiment, failures, mined }));
}

async function showOne(database: Database, id: string, request: FailuresRequest): Promise<void> {
  const narrowing = (['variant', 'seed', 'group'] as const).filter((name) => request[name] !== undefined);
  if (narrowing.length > 0) {
    throw new ThawError(
      'REQUEST_BAD_ARGUMENT',
      `"${id}" is one failure, and --${narrowing[0]} chooses among several.`,
      { remedy: 'Leave the option out, or name an experiment or a run.' },
    );
  }
  const { experiment, failure, mining } = await findFailure(database, id);
  const made = await listMadeSimulators(database, failure.runId, failureName(failure.round, failure.index));
  const features = featuresOf(experiment.resolved.variants[failure.variant]!);
  if (request.format === 'csv') print(csvText(FAILURE_COLUMNS, [failure]));
  else if (request.format === 'json') {
    print(jsonText({ ...headOf(experiment), ...failureDocument({ failure, mining, made, features }) }, 2));
  } else print(failureText({ failure, mining, made, features }));
}

function headOf({ id, name }: { readonly id: string; readonly name: string }) {
  return { experiment: { id, name } };
}

function failureDocument({ failure, mining, made, features }: ShownFailure) {
  return {
    failure: failureRecord(failure),
    feature_names: features.map(({ name }) => name),
    group_members: mining.filter(({ group }) => group === failure.group).map(failureId),
    made: made.map(madeRecord),
    watch: watchCommand(failure),
  };
}

/** What is known of a seat in the world of a variant; nothing where this program has another version of it. */
function featuresOf(variant: ResolvedVariant) {
  try {
    return openWorld(variant, DEFAULT_REGISTRIES).features;
  } catch (error) {
    if (isThawError(error) && error.code === 'REQUEST_NOT_AVAILABLE') return [];
    throw error;
  }
}
