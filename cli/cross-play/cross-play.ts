import type { ArtifactStore } from '../../infra/artifacts/artifact-store.ts';
import { findPlays, insertPlays, listRunPolicies, type CrossPlayRecord } from '../../infra/postgres/cross-play-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { crossPlayReturns } from '../../learning/measures/cross-play.ts';
import { crossPlayPairs } from '../../learning/measures/cross-play-pairs.ts';
import { mean, sampleStandardDeviation } from '../../learning/statistics/moments.ts';
import { createPolicyLender } from '../policies/policy-lender.ts';
import { createPlanner, finishedRuns, type CrossPlayRequest, type PlannedPlay } from './cross-play-plan.ts';

/** What was asked for, and what there is of it. */
export interface CrossPlayOutcome {
  readonly seeds: readonly number[];
  readonly evaluationSeed: number;
  readonly records: readonly CrossPlayRecord[];
  /** Names of the simulators whose physics it was. */
  readonly simulators: readonly string[];
  /** Why some pairs cannot play, each reason once. */
  readonly reasons: readonly string[];
}

/** Where policies and results are, and who is told how far it has come. */
export interface CrossPlaySetting {
  readonly database: Database;
  readonly artifacts: ArtifactStore;
  readonly onProgress: (played: number, count: number) => void;
}

/** Lets the finished policies of an experiment play with each other; what was played before is looked up. */
export async function crossPlay(
  experiment: ExperimentRecord,
  request: CrossPlayRequest,
  setting: CrossPlaySetting,
): Promise<CrossPlayOutcome> {
  const seeds = experiment.resolved.seeds.slice(0, request.seedCount ?? undefined);
  const runs = finishedRuns(await listRunPolicies(setting.database, experiment.id), seeds);
  const planner = createPlanner(experiment.resolved, request);
  const plans = crossPlayPairs(runs).map((pair) => planner.plan(pair));
  const plays = plans.filter((plan) => 'play' in plan);
  const records = await playAll(experiment.id, plays, setting);
  return {
    seeds,
    evaluationSeed: planner.evaluationSeed,
    records,
    simulators: [...new Set(plays.map(({ simulatorName }) => simulatorName))],
    reasons: [...new Set(plans.flatMap((plan) => ('reason' in plan ? [plan.reason] : [])))],
  };
}

/** @returns in the order of the plays, whichever were known */
async function playAll(
  experimentId: string,
  plays: readonly PlannedPlay[],
  setting: CrossPlaySetting,
): Promise<CrossPlayRecord[]> {
  const { database, artifacts, onProgress } = setting;
  const hashes = plays.map(({ identity }) => identity.playHash);
  const known = await findPlays(database, hashes);
  const recordOf = ({ identity }: PlannedPlay): CrossPlayRecord => ({ ...identity, ...known.get(identity.playHash)! });
  const missing = plays.filter(({ identity }) => !known.has(identity.playHash));
  await insertPlays(database, experimentId, plays.filter((each) => !missing.includes(each)).map(recordOf));
  let played = 0;
  // Seed by seed, so that no more policies are open at once than two seeds have.
  for (const seed of new Set(missing.map(({ identity }) => identity.rowSeed))) {
    await withPolicies(artifacts, async (load) => {
      for (const each of missing.filter(({ identity }) => identity.rowSeed === seed)) {
        onProgress(played, missing.length);
        const returns = await crossPlayReturns(each.play, load);
        const moments = { returnMean: mean(returns), returnStd: sampleStandardDeviation(returns) };
        known.set(each.identity.playHash, moments);
        await insertPlays(database, experimentId, [recordOf(each)]);
        played += 1;
      }
    });
  }
  return plays.map(recordOf);
}

/** Has policies open as long as the work takes. */
async function withPolicies(
  artifacts: ArtifactStore,
  work: (load: Parameters<typeof crossPlayReturns>[1]) => Promise<void>,
): Promise<void> {
  const lender = createPolicyLender((artifact) => artifacts.read(artifact));
  try {
    await work(lender.load);
  } finally {
    await lender.release();
  }
}
