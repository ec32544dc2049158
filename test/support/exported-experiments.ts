import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import type { ArtifactStore } from '../../infra/artifacts/artifact-store.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { installationRoot } from '../../infra/installation.ts';
import type { ResolvedExperiment } from '../../schemas/resolved-experiment.ts';
import { thaw, type CommandOutcome } from './command-line.ts';
import { startComputing } from './computing.ts';
import { startTestPostgres } from './postgres.ts';
import { seedExperiment } from './seeded-experiment.ts';
import { seedLineage } from './seeded-lineage.ts';
import { resolved, specDocument } from './spec-document.ts';
import { storeExperiment } from './store-experiment.ts';
import { takeRun } from './take-run.ts';

/** Experiments in a store: one that was really trained, its equal, and one with a made up lineage whose runs are not whole. */
export interface ExportedExperiments {
  readonly database: Database;
  readonly url: string;
  readonly artifacts: ArtifactStore;
  readonly trained: ResolvedExperiment;
  /** A folder for the test's files. */
  readonly folder: string;
  /** How other programs call the command line, and what they find in their environment. */
  readonly program: { readonly command: string; readonly env: Record<string, string> };
  thaw(...args: string[]): Promise<CommandOutcome>;
  stop(): Promise<void>;
}

export const TRAINED = 'trained-1';
export const LINEAGE = 'example-1';
/** The trained one under another name: its runs are SKIPPED. */
export const AGAIN = 'again-1';

const ROUNDS = 3;
const BLOCK = 8 * 25;

/** Two variants under two seeds, three rounds each of a few episodes, every one of which is evaluated. */
function trainedDocument() {
  return {
    ...specDocument(),
    name: 'trained',
    simulators: {
      ...specDocument().simulators,
      near: { partners: { 1: { kind: 'scripted', name: 'nearest_landmark' } } },
    },
    panels: { train: ['zero', 'left'], validation: ['top'], test: ['far', 'near'] },
    algorithm: { name: 'ippo', hidden_sizes: [8], parallel_environments: 8, learning_rate: 0.01 },
    budget: { env_steps: ROUNDS * BLOCK, rounds: ROUNDS },
    evaluation: { every_rounds: 1, episodes: 6, final_episodes: 12 },
  };
}

export async function startExportedExperiments(): Promise<ExportedExperiments> {
  const postgres = await startTestPostgres();
  const folder = mkdtempSync(path.join(tmpdir(), 'thaw-exported-'));
  const { database, url } = await postgres.createDatabase();
  const artifactFolder = path.join(folder, 'artifacts');
  const trained = resolved(trainedDocument());
  await storeExperiment(database, TRAINED, trained);
  await trainAll(database, artifactFolder, trained);
  await storeExperiment(database, AGAIN, resolved({ ...trainedDocument(), name: 'again' }));
  await addLineage(database);
  await addOddities(database);
  const env = {
    THAW_DATABASE_URL: url,
    THAW_HOME: path.join(folder, 'home'),
    THAW_ARTIFACTS: artifactFolder,
  };
  return {
    database,
    url,
    artifacts: createFolderStore(artifactFolder),
    trained,
    folder,
    program: { command: `${process.execPath} ${path.join(installationRoot(), 'dist/cli/main.js')}`, env },
    thaw: (...args) => thaw(args, env),
    async stop() {
      await postgres.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

async function trainAll(database: Database, artifacts: string, { variants, seeds }: ResolvedExperiment): Promise<void> {
  const computing = startComputing(artifacts);
  try {
    for (const variant of Object.keys(variants)) {
      for (const seed of seeds) await takeRun(computing.dependenciesOn(database), runId(TRAINED, variant, seed));
    }
  } finally {
    await computing.stop();
  }
}

async function addLineage(database: Database): Promise<void> {
  const { variants } = await seedExperiment(database, { id: LINEAGE });
  await seedLineage(database, runId(LINEAGE, 'pool', 0), variants['pool']!);
}

/** What ordinary runs do not have: numbers that are none, and texts that a file has to be careful with. */
async function addOddities(database: Database): Promise<void> {
  const run = runId(TRAINED, 'frozen', 0);
  for (const [name, value] of Object.entries({
    not_a_number: 'NaN',
    endless: 'Infinity',
    endless_down: '-Infinity',
    zero_down: '-0',
  })) {
    await database.query('insert into metrics (run_id, round, name, value) values ($1, 1, $2, $3)', [run, name, value]);
  }
  await database.query('insert into events (experiment_id, run_id, kind, message) values ($1, $2, $3, $4)', [
    TRAINED,
    run,
    'told',
    'a "quoted", line\r\nand another; =1+1 \u001b[31m ünï',
  ]);
  await database.query(
    `insert into cross_play (experiment_id, row_variant, seed, column_variant, column_seed, play_hash, simulator_hash,
                             learner_artifacts, partner_artifacts, evaluation_seed, episodes, return_mean, return_std)
     values ($1, 'pool', 0, 'frozen', 1, 'cafe', 'f00d', '{}', '{}', 0, 3, -12.5, 'NaN')`,
    [TRAINED],
  );
}
