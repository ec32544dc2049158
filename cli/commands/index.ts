import type { Command } from 'commander';
import { backupCommand } from './backup.ts';
import { benchCommand } from './bench.ts';
import { cancelCommand } from './cancel.ts';
import { compareCommand } from './compare.ts';
import { crossPlayCommand } from './cross-play.ts';
import { deleteCommand } from './delete.ts';
import { diagnoseCommand } from './diagnose.ts';
import { doctorCommand } from './doctor.ts';
import { downCommand } from './down.ts';
import { evaluateCommand } from './evaluate.ts';
import { explainCommand } from './explain.ts';
import { exportCommand } from './export.ts';
import { failuresCommand } from './failures.ts';
import { forkCommand } from './fork.ts';
import { gcCommand } from './gc.ts';
import { getCommand } from './get.ts';
import { importCommand } from './import.ts';
import { initCommand } from './init.ts';
import { killCommand } from './kill.ts';
import { leaderboardCommand } from './leaderboard.ts';
import { listCommand } from './list.ts';
import { logsCommand } from './logs.ts';
import { pauseCommand } from './pause.ts';
import { planCommand } from './plan.ts';
import { restoreCommand } from './restore.ts';
import { resultsCommand } from './results.ts';
import { resumeCommand } from './resume.ts';
import { retryCommand } from './retry.ts';
import { rolloutCommand } from './rollout.ts';
import { runCommand } from './run.ts';
import { simulatorsCommand } from './simulators.ts';
import { statusCommand } from './status.ts';
import { submitCommand } from './submit.ts';
import { supervisorCommand } from './supervisor.ts';
import { uiCommand } from './ui.ts';
import { upCommand } from './up.ts';
import { validateCommand } from './validate.ts';
import { waitCommand } from './wait.ts';
import { watchCommand } from './watch.ts';
import { workerCommand } from './worker.ts';

/** Every verb; `verb-groups.ts` says in which order the help has them. */
export const COMMANDS: readonly (() => Command)[] = [
  initCommand,
  explainCommand,
  validateCommand,
  planCommand,
  runCommand,
  submitCommand,
  uiCommand,
  listCommand,
  getCommand,
  watchCommand,
  waitCommand,
  logsCommand,
  resultsCommand,
  compareCommand,
  leaderboardCommand,
  exportCommand,
  diagnoseCommand,
  crossPlayCommand,
  failuresCommand,
  pauseCommand,
  resumeCommand,
  cancelCommand,
  killCommand,
  retryCommand,
  deleteCommand,
  forkCommand,
  simulatorsCommand,
  importCommand,
  evaluateCommand,
  rolloutCommand,
  benchCommand,
  upCommand,
  downCommand,
  statusCommand,
  doctorCommand,
  backupCommand,
  restoreCommand,
  gcCommand,
  workerCommand,
  supervisorCommand,
];
