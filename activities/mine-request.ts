import type { MiningPlan } from '../learning/failures/contract.ts';
import { varySimulator } from '../learning/failures/mining/vary-simulator.ts';
import { presentLearners } from '../learning/rollout/driven-seats.ts';
import type { NamedSimulator } from '../learning/strategies/contract.ts';
import { leaderOf } from '../learning/strategies/leader.ts';
import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import type { World } from '../simulators/contract.ts';
import { type Key, keyFrom, PURPOSE, RandomStream } from '../simulators/random.ts';
import { simulatorHash } from '../specification/identity.ts';
import type { MineRequest, SessionState } from './session-messages.ts';

export interface Mining {
  /** Rounds completed. */
  readonly round: number;
  readonly mining: MiningPlan;
  readonly world: World;
  /** Returns of earlier minings by name of the simulator, the oldest first; they count where the starts are the same. */
  readonly earlier: Readonly<Record<string, readonly (readonly number[])[]>>;
}

/** Places of other streams beside those of episodes, which count from 0. */
const DRAWS = -1;
const SELECTION = -2;

/** What a training process is asked to mine: a function of committed rows, the spec and the seed, so that it can be asked again. */
export function mineRequest(session: SessionState, { round, mining, world, earlier }: Mining): MineRequest {
  const { resolved, seed } = session;
  const { episodes, draws } = mining;
  const isFixed = draws === 'fixed';
  const episodeKey = (episode: number): Key =>
    isFixed
      ? keyFrom(resolved.evaluation.seed, PURPOSE.mining, 0, episode)
      : keyFrom(seed, PURPOSE.mining, round, episode);
  const played = isFixed
    ? validationPanel(resolved)
    : variedPanel(resolved, world, keyFrom(seed, PURPOSE.mining, round, DRAWS));
  return {
    ...session,
    member: leaderOf(session.members),
    mode: resolved.evaluation.policy_mode,
    simulators: minable(played, resolved, world),
    keys: Array.from({ length: episodes }, (_, episode) => episodeKey(episode)),
    plan: mining,
    earlier: isFixed ? ofSameLength(earlier, episodes) : {},
    selectionKey: keyFrom(seed, PURPOSE.mining, round, SELECTION),
  };
}

function validationPanel({ panels, simulators }: ResolvedVariant): NamedSimulator[] {
  return panels.validation.map((name) => ({ name, simulator: simulators[name]! }));
}

/** The validation panel with its ranged numbers varied; a simulator that has none of them stays as it is. */
function variedPanel(resolved: ResolvedVariant, { parameters }: World, key: Key): NamedSimulator[] {
  const random = new RandomStream(key);
  return validationPanel(resolved).map(({ name, simulator }) => ({
    name,
    simulator: varySimulator(simulator, { ranges: resolved.randomization, parameters }, random),
  }));
}

/** Test simulators are never mined, and a draw may come upon one; and where no learner is present there is nothing to find. */
function minable(
  played: readonly NamedSimulator[],
  { panels, simulators, learners }: ResolvedVariant,
  world: World,
): NamedSimulator[] {
  const test = new Set(panels.test.map((name) => simulatorHash(world, simulators[name]!)));
  return played.filter(
    ({ simulator }) => presentLearners(learners, simulator).length > 0 && !test.has(simulatorHash(world, simulator)),
  );
}

/** Episodes can be paired where there were as many. */
function ofSameLength(earlier: Mining['earlier'], episodes: number): Mining['earlier'] {
  return Object.fromEntries(
    Object.entries(earlier).map(([name, minings]) => [name, minings.filter(({ length }) => length === episodes)]),
  );
}
