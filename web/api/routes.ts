import { attemptsRoute } from './attempts.ts';
import { comparisonRoute } from './comparison.ts';
import { curvesRoute } from './curves.ts';
import { diagnosisRoute } from './diagnosis.ts';
import { experimentRoute } from './experiment.ts';
import { experimentsRoute } from './experiments.ts';
import { failuresRoute } from './failures.ts';
import { lineageRoute } from './lineage.ts';
import { logRoute } from './log.ts';
import { matricesRoute } from './matrices.ts';
import { poolRoute } from './pool.ts';
import { replayRoute } from './replay.ts';
import { resultRowsRoute } from './result-rows.ts';
import { resultsRoute } from './results.ts';
import { roundsRoute } from './rounds.ts';
import type { Route } from './route.ts';
import { runRoute } from './run.ts';
import { runsRoute } from './runs.ts';
import { sensitivityRoute } from './sensitivity.ts';
import { serverRoute } from './server-info.ts';
import { simulatorReturnsRoute } from './simulator-returns.ts';

/** Every resource of the page's JSON, all of them read by GET. */
export const ROUTES: readonly Route[] = [
  serverRoute,
  experimentsRoute,
  experimentRoute,
  resultsRoute,
  resultRowsRoute,
  comparisonRoute,
  curvesRoute,
  simulatorReturnsRoute,
  sensitivityRoute,
  matricesRoute,
  diagnosisRoute,
  failuresRoute,
  replayRoute,
  runsRoute,
  runRoute,
  roundsRoute,
  attemptsRoute,
  logRoute,
  poolRoute,
  lineageRoute,
];
