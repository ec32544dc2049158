import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { type Amount, collectGarbage } from '../../infra/artifacts/garbage.ts';
import { readConfiguration } from '../../infra/configuration.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { deleteExperiment } from '../../infra/postgres/experiment-deletion.ts';
import { isThawError } from '../../schemas/errors.ts';
import { bytesText } from '../terminal/bytes-text.ts';
import { confirm } from '../terminal/confirm.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { findWholeExperiment } from '../runs/find-target.ts';
import { pluralText } from '../../web/documents/quantity-text.ts';
import { withDatabase } from '../services/service-session.ts';
import { print } from '../terminal/terminal.ts';

/** Whoever submits a policy that equals one of the experiment has stored its row long before this is over. */
const AGE_MS = 60_000;

export async function deleteById(
  id: string,
  { isConfirmed, isForced }: { isConfirmed: boolean; isForced: boolean },
): Promise<ExitCode> {
  return withDatabase(async (database) => {
    const { experiment, runs } = await findWholeExperiment(database, id);
    const what = `${experiment.id} with ${pluralText(runs.length, 'run')}`;
    if (!isConfirmed && !(await confirm(`Delete ${what}, their rows, checkpoints and policies?`))) {
      print('Nothing was deleted.');
      return EXIT.done;
    }
    const { hashes, orphans } = await deleteExperiment(database, experiment.id, { isForced });
    print(`${what}: deleted. ${await freedText(database, hashes)}`);
    if (orphans.length > 0) {
      print(`${pluralText(orphans.length, 'run')} of other experiments had shown values of it, and are CANCELLED now:`);
      for (const orphan of orphans) print(`  ${orphan}`);
      print('  thaw resume EXPERIMENT    computes them anew');
    }
    return EXIT.done;
  });
}

async function freedText(database: Database, hashes: ReadonlySet<string>): Promise<string> {
  const { artifacts } = readConfiguration(process.env);
  try {
    const garbage = await collectGarbage(database, createFolderStore(artifacts), {
      ageMs: AGE_MS,
      isDryRun: false,
      only: hashes,
    });
    const later =
      garbage.tooYoung.files > 0
        ? `; ${amountText(garbage.tooYoung)} written just now are left to \`thaw gc\` in an hour`
        : '';
    return `Freed ${amountText(garbage.unreferenced)}${later}.`;
  } catch (error) {
    if (!isThawError(error) || error.code !== 'REQUEST_CONFLICT') throw error;
    return 'A backup is being made, which keeps its files: `thaw gc` frees them later.';
  }
}

function amountText({ files, bytes }: Amount): string {
  return `${pluralText(files, 'file')}, ${bytesText(bytes)}`;
}
