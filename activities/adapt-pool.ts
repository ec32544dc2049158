import type { Cost } from '../infra/postgres/cost-rows.ts';
import { commitPool, findPool, type RunPool } from '../infra/postgres/pool-rows.ts';
import { crossPartners } from '../learning/strategies/cross-partners.ts';
import type { Evidence, NamedSimulator, Proposal, Strategy } from '../learning/strategies/contract.ts';
import { ThawError } from '../schemas/errors.ts';
import { keyFrom, PURPOSE, RandomStream } from '../simulators/random.ts';
import type { World } from '../simulators/contract.ts';
import { NOTHING_OBSERVED, strategyEvidence } from '../specification/evidence.ts';
import { openWorld } from '../specification/open-world.ts';
import { panelSimulators } from '../specification/panel-simulators.ts';
import { runAttempt, type Attempt } from './attempt.ts';
import { type Decided, decisionRecords } from './decision-records.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { observeStrategy, type Observation } from './observe-strategy.ts';
import { playProbes } from './play-probes.ts';
import { createSimulatorHasher, type SimulatorHasher } from './simulator-hasher.ts';

/** How often a strategy is asked again when its draws came upon a held-out simulator. */
const TRIALS_MAX = 100;

/** Lets the strategy choose pool, partners and members that hold from a round on. */
export async function adaptPool(
  dependencies: ActivityDependencies,
  { runId, round }: { runId: string; round: number },
): Promise<void> {
  const { database, registries } = dependencies;
  const known = await findPool(database, runId, round);
  if (known?.round === round) return;
  await runAttempt(dependencies, { runId, kind: 'adapt_pool', round }, async (attempt) => {
    const { resolved } = attempt.run;
    const world = openWorld(resolved, registries);
    const hashOf = createSimulatorHasher(world);
    const strategy = registries.strategies[resolved.strategy.kind]!;
    const needs = strategy.needs(resolved.strategy);
    const mining = strategy.mining(resolved.strategy, round);
    const observation =
      known === null
        ? NOTHING_SEEN
        : await observeStrategy(dependencies, attempt, { pool: known, round, needs, mining, world });
    const { scoringEnvSteps, ...decided } = await decideUnseen(dependencies, attempt, {
      world,
      hashOf,
      strategy,
      known,
      round,
      observation,
    });
    const { state, episodeRule, members } = decided.decision;
    const { entries, candidates, evictions, simulators } = decisionRecords({ world, hashOf }, known, decided);
    const cost = (purpose: Cost['purpose'], envSteps: number): Cost => ({
      round,
      activity: 'adapt_pool',
      purpose,
      envSteps,
    });
    await commitPool(
      database,
      attempt.token,
      { round, entries, members, state, episodeRule },
      {
        simulators: [...simulators, ...(observation.minedParts?.simulators ?? [])],
        artifacts: observation.artifacts,
        candidates,
        evictions,
        mined: observation.minedParts?.records ?? null,
        costs: [cost('mining', observation.miningEnvSteps), cost('scoring', scoringEnvSteps)],
      },
      attempt.done(),
    );
  });
}

const NOTHING_SEEN: Observation = { ...NOTHING_OBSERVED, miningEnvSteps: 0, artifacts: [], minedParts: null };

interface Asking {
  readonly world: World;
  readonly hashOf: SimulatorHasher;
  readonly strategy: Strategy;
  readonly known: RunPool | null;
  readonly round: number;
  readonly observation: Observation;
}

interface Answer extends Decided {
  readonly scoringEnvSteps: number;
}

/**
 * Held-out means held out: a decision that would train on the equal of a validation or test simulator is made again with
 * other chance, the same in every attempt. Where chance does not help, as with an edit that always leads there, it is
 * made without the candidates that are such equals.
 * @throws REQUEST_CONFLICT when the pool holds one all the same
 */
async function decideUnseen(dependencies: ActivityDependencies, attempt: Attempt, asking: Asking): Promise<Answer> {
  const { world, hashOf } = asking;
  const heldOut = new Map(
    panelSimulators(attempt.run.resolved, world)
      .filter(({ panel }) => panel !== 'train')
      .map(({ name, simulatorHash: hash }) => [hash, name]),
  );
  const equalOf = ({ simulator }: NamedSimulator): string | undefined => heldOut.get(hashOf(simulator));
  const isUnseen = (entry: NamedSimulator): boolean => equalOf(entry) === undefined;
  let scoringEnvSteps = 0;
  for (let trial = 0; trial < TRIALS_MAX; trial += 1) {
    const asked = propose(attempt, asking, trial);
    // Before anything is played: a probe must not meet what is held out either.
    if (!asked.proposal.candidates.every(isUnseen)) continue;
    const answer = await decide(dependencies, attempt, asking, asked);
    // What a refused decision had played is paid for all the same.
    scoringEnvSteps += answer.scoringEnvSteps;
    if (answer.played.every(isUnseen)) return { ...answer, scoringEnvSteps };
  }
  const asked = propose(attempt, asking, TRIALS_MAX);
  const proposal = withCandidates(asked.proposal, isUnseen);
  const answer = await decide(dependencies, attempt, asking, { ...asked, proposal });
  scoringEnvSteps += answer.scoringEnvSteps;
  if (answer.played.every(isUnseen)) return { ...answer, scoringEnvSteps };
  const equals = answer.played.flatMap((entry) => equalOf(entry) ?? []);
  throw new ThawError(
    'REQUEST_CONFLICT',
    `every pool that was drawn holds the equal of the held-out simulator ${equals[0]}`,
    {
      remedy: 'Narrow `randomization` so that it does not give the held-out simulator, or hold out another one.',
    },
  );
}

/** The proposal with some of its candidates only, and their probes. */
function withCandidates(proposal: Proposal, isWanted: (candidate: NamedSimulator) => boolean): Proposal {
  const candidates = proposal.candidates.filter(isWanted);
  const names = new Set(candidates.map(({ name }) => name));
  return { ...proposal, candidates, probes: proposal.probes.filter(({ candidate }) => names.has(candidate)) };
}

interface Asked {
  readonly proposal: Proposal;
  readonly evidence: Evidence;
  /** Goes on where proposing left it. */
  readonly random: RandomStream;
}

function propose(attempt: Attempt, { world, strategy, known, round, observation }: Asking, trial: number): Asked {
  const { resolved, seed } = attempt.run;
  const { training, members, samples, mined } = observation;
  const evidence = strategyEvidence(resolved, world, round, { training, members, samples, mined });
  const random = new RandomStream(keyFrom(seed, PURPOSE.strategy, round, trial));
  return { proposal: strategy.propose(known?.state ?? null, evidence, random), evidence, random };
}

async function decide(
  dependencies: ActivityDependencies,
  attempt: Attempt,
  { strategy, known, round }: Asking,
  { proposal, evidence, random }: Asked,
): Promise<Answer> {
  const probed = await playProbes(dependencies, attempt, { round, known, proposal });
  const decision = strategy.decide(proposal, evidence, probed.scores, random);
  const { scores, envSteps: scoringEnvSteps } = probed;
  return { proposal, scores, decision, played: crossPartners(decision), scoringEnvSteps };
}
