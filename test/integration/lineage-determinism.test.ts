import { beforeAll, describe, expect, it } from 'vitest';
import { inPrivateHome } from '../../cli/bench/private-home.ts';
import { kill, survivors } from '../../cli/bench/victims.ts';
import type { ServiceSession } from '../../cli/services/service-session.ts';
import { submitSpecs } from '../../cli/submission/submission.ts';
import { type AttemptRecord, listAttempts } from '../../infra/postgres/attempt-rows.ts';
import type { Database, Row } from '../../infra/postgres/database.ts';
import { deterministicDigest } from '../../infra/postgres/deterministic-digest.ts';
import { listRuns } from '../../infra/postgres/run-rows.ts';
import { isFinalState } from '../../schemas/records.ts';
import { killWhileMining, until, withClosedGate } from '../support/adaptation-kills.ts';
import { resolved, specDocument } from '../support/spec-document.ts';

// Failures become simulators: the same ones, whatever carries the runs out and whatever is killed meanwhile.

const ROUNDS = 5;
const ENVIRONMENTS = 8;
/** Decisions come after rounds 2 and 4, both with a mining. */
const LAST_DECISION = 4;

const pooled = { size: 3, added: 2, every_rounds: 2, draws: 4 };
const failureDriven = {
  ...{ kind: 'failure_driven', ...pooled, edits: 2 },
  mining: { every_rounds: 2, episodes: 32, share: 0.1, groups: 2 },
};
const VARIANTS = {
  edits: { strategy: { ...failureDriven, draws: 1, edits: 8 } },
  learned: { strategy: { ...failureDriven, generator: 'learned' } },
  novelty: { strategy: { kind: 'novelty_generator', ...pooled } },
};

const scripted = (name: string, more: object = {}) => ({ partners: { 1: { kind: 'scripted', name, ...more } } });

function documentWith(samplerProcesses: number) {
  return {
    ...specDocument(),
    name: 'lineage',
    simulators: {
      first: scripted('weighted', { weights: { index: -1 } }),
      near: scripted('nearest_landmark'),
      left: scripted('leftmost_landmark'),
      top: scripted('topmost_landmark'),
      far: scripted('farthest_landmark'),
    },
    panels: { train: ['first'], validation: ['near', 'left', 'top'], test: ['far'] },
    randomization: {
      'partners.1.weights.x': [-1, 1],
      'partners.1.weights.distance_self': [-1, 1],
      'partners.1.epsilon': [0, 0.5],
    },
    algorithm: { name: 'ippo', hidden_sizes: [16], parallel_environments: ENVIRONMENTS },
    budget: { env_steps: ENVIRONMENTS * 25 * 2 * ROUNDS, rounds: ROUNDS },
    evaluation: { every_rounds: ROUNDS, episodes: 4, final_episodes: 4 },
    variants: VARIANTS,
    seeds: [0, 1],
    execution: { sampler_processes: samplerProcesses },
  };
}

/** What makes a lineage, place by place. */
const TABLES = ['mined_simulators', 'failures', 'candidates', 'pools', 'evictions'] as const;
type Lineage = Readonly<Record<(typeof TABLES)[number], readonly Row[]>>;

interface Outcome {
  readonly states: readonly string[];
  readonly digest: string;
  readonly lineages: ReadonlyMap<string, Lineage>;
  /** Attempts at decisions. */
  readonly decisions: readonly (AttemptRecord & { readonly runId: string })[];
}

type RunIdOf = (variant: string, seed: number) => string;

/** @param disturb is called when the experiment has been submitted */
async function run(
  session: ServiceSession,
  samplerProcesses: number,
  disturb: (runIdOf: RunIdOf) => Promise<void> = async () => undefined,
): Promise<Outcome> {
  const document = documentWith(samplerProcesses);
  const spec = { file: 'lineage.json', document, experiment: resolved(document), policies: new Map<string, never>() };
  const [submission] = await submitSpecs(session, [spec]);
  const { id } = submission!.experiment;
  const { runs } = submission!;
  await disturb((variant, seed) => runs.find((each) => each.variant === variant && each.seed === seed)!.id);
  const { database } = session;
  await until('the end of the runs', async () =>
    (await listRuns(database, id)).every(({ state }) => isFinalState(state)),
  );
  return outcomeOf(database, id);
}

async function outcomeOf(database: Database, experimentId: string): Promise<Outcome> {
  const runs = await listRuns(database, experimentId);
  const lineages = new Map<string, Lineage>();
  const decisions: Outcome['decisions'][number][] = [];
  for (const { id: runId, variant, seed } of runs) {
    const parts: Partial<Record<keyof Lineage, Row[]>> = {};
    for (const table of TABLES) {
      const { rows } = await database.query(`select * from ${table} where run_id = $1 order by round, position`, [
        runId,
      ]);
      parts[table] = rows;
    }
    lineages.set(`${variant} ${seed}`, parts as Lineage);
    const attempts = await listAttempts(database, runId);
    decisions.push(...attempts.filter(({ kind }) => kind === 'adapt_pool').map((each) => ({ ...each, runId })));
  }
  const digest = await deterministicDigest(database, experimentId);
  return { states: runs.map(({ state }) => state), digest, lineages, decisions };
}

/**
 * Kills a training process that mines, and the worker when the last decision of a run is half committed.
 * @returns the id of that run
 */
async function killInDecisions({ configuration, database }: ServiceSession, runIdOf: RunIdOf): Promise<string> {
  const runId = runIdOf('learned', 1);
  await withClosedGate(database, { runId, round: LAST_DECISION }, async (reached) => {
    await killWhileMining(database, [runIdOf('edits', 0), runIdOf('edits', 1)]);
    await reached();
    const doomed = kill(configuration, 'worker');
    expect(doomed.length).toBeGreaterThan(1);
    await until('the end of what was killed', async () => survivors(doomed).length === 0);
  });
  return runId;
}

describe('the lineage of simulators made of failures', () => {
  let alone: Outcome;
  beforeAll(async () => {
    alone = await inPrivateHome((session) => run(session, 1));
  }, 300_000);

  it('has failures, candidates made of them, entries and exits', () => {
    const runs = Object.keys(VARIANTS).flatMap((name) => [`${name} 0`, `${name} 1`]);
    expect([...alone.lineages.keys()].toSorted()).toEqual(runs.toSorted());
    expect(alone.states).toEqual(runs.map(() => 'SUCCEEDED'));
    for (const [name, { failures, candidates, pools, evictions, mined_simulators: mined }] of alone.lineages) {
      const isDriven = !name.startsWith('novelty');
      expect([mined.length > 0, failures.length > 0]).toEqual([isDriven, isDriven]);
      expect(candidates.some(({ failure }) => failure !== null)).toBe(isDriven);
      expect(candidates.some((each) => Number(each['probe_episodes']) > 0)).toBe(name.startsWith('learned'));
      expect(new Set(pools.map(({ round }) => round))).toEqual(new Set([0, 2, LAST_DECISION]));
      expect(evictions.length).toBeGreaterThan(0);
    }
    const entered = [...alone.lineages.values()].flatMap(({ pools }) =>
      pools.filter(({ failure }) => failure !== null),
    );
    expect(entered.length).toBeGreaterThan(0);
  });

  it.concurrent(
    'is the same when two samplers share the training episodes',
    async () => {
      const shared = await inPrivateHome((session) => run(session, 2));
      expect(shared.lineages).toEqual(alone.lineages);
      expect(shared.digest).toBe(alone.digest);
    },
    300_000,
  );

  it.concurrent(
    'is the same after kills in the middle of decisions',
    async () => {
      let halfCommitted = '';
      const killed = await inPrivateHome((session) =>
        run(session, 1, async (runIdOf) => void (halfCommitted = await killInDecisions(session, runIdOf))),
      );
      expect(alone.decisions.every(({ outcome }) => outcome === 'done')).toBe(true);
      const lost = killed.decisions.filter(({ outcome }) => outcome === 'lost');
      const ofWorker = { runId: halfCommitted, round: LAST_DECISION, signal: null };
      expect(lost).toContainEqual(expect.objectContaining({ signal: 'SIGKILL' }));
      expect(lost).toContainEqual(expect.objectContaining(ofWorker));
      for (const { runId, round } of lost) {
        const tries = killed.decisions.filter((each) => each.runId === runId && each.round === round);
        expect(tries.at(-1)!.outcome).toBe('done');
      }
      expect(killed.states).toEqual(alone.states);
      expect(killed.lineages).toEqual(alone.lineages);
      expect(killed.digest).toBe(alone.digest);
    },
    300_000,
  );
});
