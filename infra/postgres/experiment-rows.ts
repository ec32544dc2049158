import type { Execution, PanelName, ResolvedExperiment } from '../../schemas/resolved-experiment.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { Database, Queryable, Row } from './database.ts';
import { takeOverRounds, type Fork } from './fork-rows.ts';
import { skipEqualRuns } from './run-rows.ts';
import { linkImports } from './used-import-rows.ts';

/** Rows of one insert; Postgres takes at most 65 535 parameters a statement. */
const INSERT_CHUNK = 2_000;

export interface NewExperiment {
  readonly id: string;
  readonly identityHash: string;
  readonly document: unknown;
  readonly resolved: ResolvedExperiment;
  /** By variant. */
  readonly panelSimulators: Readonly<Record<string, readonly StoredPanelSimulator[]>>;
  /** Hashes of the starts and the policies in it: what of them was imported is remembered. */
  readonly importableHashes?: readonly string[];
  readonly sourceFile: string;
  readonly programVersion: string;
  /** Absent for what begins by itself. */
  readonly fork?: Fork;
}

/** A simulator of a variant's panels by its content; what is held out is refused by the query that feeds training. */
export interface StoredPanelSimulator {
  readonly panel: PanelName;
  readonly name: string;
  readonly simulatorHash: string;
}

export interface ExperimentRecord {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly resultHash: string;
  readonly resolved: ResolvedExperiment;
  readonly sourceFile: string;
  /** Of the program that it was submitted with. */
  readonly programVersion: string;
  readonly createdAt: Date;
  /** Where it was forked; null where it was not. A round of null: its runs began at their beginning. */
  readonly forked: { readonly from: string; readonly round: number | null } | null;
  /** Whether somebody has paused it. */
  readonly isPaused: boolean;
}

/** What became of an experiment; not created when it was there before. */
export interface Inserted {
  readonly id: string;
  readonly version: number;
  readonly created: boolean;
}

/**
 * Writes an experiment with its variants and runs in one transaction. The same identity is the same experiment: it is
 * found and not written again. A run whose equal has succeeded before, in whatever experiment, is SKIPPED.
 */
export async function insertExperiment(database: Database, experiment: NewExperiment): Promise<Inserted> {
  return database.transaction((client) => writeExperiment(client, experiment));
}

/** The same with several in one transaction: either all of them are there afterwards, or none that was not before. */
export async function insertExperiments(
  database: Database,
  experiments: readonly NewExperiment[],
): Promise<readonly Inserted[]> {
  return database.transaction(async (client) => {
    // In one order, so that two of these never wait for each other.
    const names = [...new Set(experiments.map(({ resolved }) => resolved.name))].sort();
    for (const name of names) await lockName(client, name);
    const inserted: Inserted[] = [];
    for (const experiment of experiments) inserted.push(await writeExperiment(client, experiment));
    return inserted;
  });
}

/** Versions of one name are counted one submission at a time. */
async function lockName(client: Queryable, name: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock(hashtext($1))', [name]);
}

async function writeExperiment(client: Queryable, experiment: NewExperiment): Promise<Inserted> {
  const { id, identityHash, document, resolved, panelSimulators, sourceFile, programVersion, fork } = experiment;
  const { importableHashes = [] } = experiment;
  await lockName(client, resolved.name);
  // One that has got further seeds has another identity than its id was made of, and stays what was submitted then.
  const known = await client.query(
    'select id, version from experiments where identity_hash = $1 or (id = $2 and result_hash = $3) order by identity_hash = $1 desc limit 1',
    [identityHash, id, resolved.result_hash],
  );
  const [row] = known.rows;
  if (row !== undefined) {
    // An experiment of the time before panels were stored gets them now.
    await insertPanelSimulators(client, row['id'] as string, panelSimulators);
    await linkImports(client, row['id'] as string, importableHashes);
    return { id: row['id'] as string, version: row['version'] as number, created: false };
  }
  const inserted = await client.query(
    `insert into experiments (id, name, version, identity_hash, result_hash, document, resolved, execution, source_file, program_version, created_at)
     select $1, $2, 1 + coalesce(max(version), 0), $3, $4, $5, $6, $7, $8, $9, clock_timestamp() from experiments where name = $2
     returning version`,
    [
      id,
      resolved.name,
      identityHash,
      resolved.result_hash,
      JSON.stringify(document),
      JSON.stringify(resolved),
      JSON.stringify(resolved.execution),
      sourceFile,
      programVersion,
    ],
  );
  await insertVariants(client, id, resolved);
  await insertPanelSimulators(client, id, panelSimulators);
  await linkImports(client, id, importableHashes);
  await insertRuns(client, id, resolved, { seeds: resolved.seeds, firstPosition: 0 });
  if (fork !== undefined) await takeOverRounds(client, id, fork);
  await skipEqualRuns(client, 'experiment_id', id);
  const origin = fork === undefined ? `submitted from ${sourceFile}` : forkText(fork);
  await client.query(`insert into events (experiment_id, kind, message) values ($1, 'submitted', $2)`, [id, origin]);
  return { id, version: inserted.rows[0]!['version'] as number, created: true };
}

async function insertVariants(client: Queryable, experimentId: string, resolved: ResolvedExperiment): Promise<void> {
  const rows = Object.entries(resolved.variants).map(([name, variant], position) => [
    experimentId,
    name,
    position,
    resolved.variant_hashes[name],
    JSON.stringify(variant),
  ]);
  await insertMany(client, 'variants (experiment_id, name, position, variant_hash, resolved)', rows);
}

async function insertPanelSimulators(
  client: Queryable,
  experimentId: string,
  panelSimulators: NewExperiment['panelSimulators'],
): Promise<void> {
  const rows = Object.entries(panelSimulators).flatMap(([variant, simulators]) =>
    simulators.map(({ panel, name, simulatorHash }, position) => [
      experimentId,
      variant,
      panel,
      position,
      name,
      simulatorHash,
    ]),
  );
  const columns = 'experiment_id, variant, panel, position, name, simulator_hash';
  await insertMany(client, `panel_simulators (${columns})`, rows, 'on conflict do nothing');
}

function forkText({ from, round }: Fork): string {
  return round === null ? `forked from ${from}` : `forked from ${from} at round ${round}`;
}

/** Writes the runs of all variants with some seeds; those that are there stay as they are. */
export async function insertRuns(
  client: Queryable,
  experimentId: string,
  { variants, variant_hashes: hashes }: Pick<ResolvedExperiment, 'variants' | 'variant_hashes'>,
  { seeds, firstPosition }: { seeds: readonly number[]; firstPosition: number },
): Promise<void> {
  // Seed by seed, so that an experiment that is stopped early has compared every variant on the seeds it got to.
  const cells = seeds.flatMap((seed) => Object.keys(variants).map((variant) => ({ seed, variant })));
  const rows = cells.map(({ seed, variant }, index) => [
    runId(experimentId, variant, seed),
    experimentId,
    variant,
    seed,
    firstPosition + index,
    hashes[variant],
  ]);
  const target = 'runs (id, experiment_id, variant, seed, position, variant_hash)';
  await insertMany(client, target, rows, 'on conflict do nothing');
}

/** @param target table and columns, as they stand in an insert @param conflict what to do about rows that are there */
async function insertMany(
  client: Queryable,
  target: string,
  rows: readonly (readonly unknown[])[],
  conflict = '',
): Promise<void> {
  for (let first = 0; first < rows.length; first += INSERT_CHUNK) {
    const chunk = rows.slice(first, first + INSERT_CHUNK);
    const width = chunk[0]!.length;
    const places = chunk.map(
      (_, row) => `(${Array.from({ length: width }, (__, column) => `$${row * width + column + 1}`).join(', ')})`,
    );
    await client.query(`insert into ${target} values ${places.join(', ')} ${conflict}`, chunk.flat());
  }
}

/** The id of a run says which cell of which experiment it is. */
export function runId(experimentId: string, variant: string, seed: number): string {
  return `${experimentId}/${variant}/${seed}`;
}

/**
 * The experiment that an id, a name (its newest version), a unique prefix of an id, or `@latest` stands for.
 * @throws REQUEST_UNKNOWN_ID naming what it could have been
 */
export async function findExperiment(database: Database, text: string): Promise<ExperimentRecord> {
  const id = await findExperimentId(database, text);
  const { rows } = await database.query('select * from experiments where id = $1', [id]);
  const [row] = rows;
  if (row === undefined) throw new ThawError('REQUEST_UNKNOWN_ID', `No experiment is called "${id}".`);
  return experimentFromRow(row);
}

/** Its id alone, without its documents, which may be large. @throws REQUEST_UNKNOWN_ID naming what it could have been */
export async function findExperimentId(database: Database, text: string): Promise<string> {
  const found =
    text === '@latest'
      ? await database.query('select id, name from experiments order by created_at desc, id limit 1')
      : await database.query(
          `select id, name from experiments where starts_with(id, $1) or name = $1
            order by id = $1 desc, name = $1 desc, case when name = $1 then version end desc, id limit 6`,
          [text],
        );
  const [row, second] = found.rows;
  if (row === undefined) {
    throw new ThawError(
      'REQUEST_UNKNOWN_ID',
      text === '@latest' ? 'There is no experiment yet.' : `No experiment is called "${text}".`,
    );
  }
  const isExact = text === '@latest' || row['id'] === text || row['name'] === text;
  if (!isExact && second !== undefined) {
    const ids = found.rows.map((candidate) => candidate['id']).join(', ');
    throw new ThawError('REQUEST_UNKNOWN_ID', `"${text}" stands for several experiments: ${ids}.`);
  }
  return row['id'] as string;
}

/**
 * Names the state of all rows that results are made of: another text once something has been committed. Every attempt raises
 * the fence of its run, so that of what is committed within one, the next tells.
 */
export async function findExperimentState(database: Database, id: string): Promise<string> {
  const { rows } = await database.query(
    `select concat_ws(' ', e.created_at, e.paused_at, md5(e.execution::text), r.state,
                      (select max(id) from events where experiment_id = e.id)) as state
       from experiments e,
            lateral (select md5(string_agg(concat_ws(',', state, reason, fence, rounds_completed, finished_at), ';'
                                           order by position)) as state
                       from runs where experiment_id = e.id) r
      where e.id = $1`,
    [id],
  );
  return rows[0]?.['state'] as string;
}

/** How the runs of an experiment are carried out. */
export async function findExecution(database: Database, experimentId: string): Promise<Execution> {
  const { rows } = await database.query('select execution from experiments where id = $1', [experimentId]);
  const [row] = rows;
  if (row === undefined) throw new ThawError('REQUEST_UNKNOWN_ID', `No experiment is called "${experimentId}".`);
  return row['execution'] as Execution;
}

function experimentFromRow(row: Row): ExperimentRecord {
  return {
    id: row['id'] as string,
    name: row['name'] as string,
    version: row['version'] as number,
    resultHash: row['result_hash'] as string,
    resolved: row['resolved'] as ResolvedExperiment,
    sourceFile: row['source_file'] as string,
    programVersion: row['program_version'] as string,
    createdAt: row['created_at'] as Date,
    forked: forkedFromRow(row),
    isPaused: row['paused_at'] !== null,
  };
}

function forkedFromRow(row: Row): ExperimentRecord['forked'] {
  const from = row['forked_from'] as string | null;
  return from === null ? null : { from, round: row['forked_round'] as number | null };
}
