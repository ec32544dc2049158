import type { PartnerData, SimulatorData, World } from '../../simulators/contract.ts';
import type { PolicyPartner } from '../../simulators/outside-partners.ts';
import type { PolicyMode } from '../rollout/action-choice.ts';
import type { PoliciesByGroup } from './cross-play-pairs.ts';
import { evaluate, type Player } from '../evaluation.ts';
import { policiesOfModels } from '../rollout/model-policies.ts';
import type { PolicyLoader, PolicyModel } from '../rollout/partner-policies.ts';

// Letters: E episodes.

/** The two sides of a cross-play: a policy of the row holds some seats, a policy of the column all the others. */
interface CrossPlaySides {
  readonly rows: readonly number[];
  readonly columns: readonly number[];
}

/**
 * Who plays with whom. Where some seats do not learn: the learners with them. Where all learn the team is parted, so that
 * one side meets strangers: by role when there are several, the seats of the first with the others; otherwise the first
 * learner with the rest (ad-hoc teamwork: one newcomer in a team that knows each other).
 *
 * @param learners seats that learn, ascending
 */
export function crossPlaySides(
  { groups, seatCount }: Pick<World, 'groups' | 'seatCount'>,
  learners: readonly number[],
): CrossPlaySides {
  const seats = Array.from({ length: seatCount }, (_, seat) => seat);
  const parted = groups.length > 1 ? groups[0]!.seats : learners.slice(0, 1);
  const rows = learners.length < seatCount ? learners : parted;
  return { rows, columns: seats.filter((seat) => !rows.includes(seat)) };
}

/** Whether policies of one world fit the seats of another: the same roles see and do the same. */
export function haveSameSeats(one: Pick<World, 'groups'>, other: Pick<World, 'groups'>): boolean {
  return JSON.stringify(one.groups) === JSON.stringify(other.groups);
}

/**
 * A simulator with the column's policies on its seats and nobody on the row's, whoever held them before: what is left of
 * the simulator is its rules, starts, rewards and perturbations.
 */
export function seatedSimulator(
  simulator: SimulatorData,
  { groups, columns, policies, mode }: SeatedColumns,
): SimulatorData {
  const partners = columns.map((seat): [string, PartnerData] => {
    const group = groups.findIndex(({ seats }) => seats.includes(seat));
    const partner: PolicyPartner = { kind: 'policy', artifact: policies[String(group)]!, mode, epsilon: 0 };
    return [String(seat), partner];
  });
  return { ...simulator, partners: Object.fromEntries(partners) };
}

interface SeatedColumns {
  readonly groups: World['groups'];
  readonly columns: readonly number[];
  /** One for every group that has a seat of a column. */
  readonly policies: PoliciesByGroup;
  readonly mode: PolicyMode;
}

/** Everything that the returns of a pair depend on. */
export interface CrossPlay {
  readonly world: World;
  /** With the column's policies in it, see `seatedSimulator`. */
  readonly simulator: SimulatorData;
  /** Seats of the row. */
  readonly rows: readonly number[];
  /** Of the row: one for every group that has one of its seats. */
  readonly policies: PoliciesByGroup;
  readonly mode: PolicyMode;
  readonly episodes: number;
  readonly seed: number;
}

/**
 * Plays a pair.
 * @returns shape [E]: by episode, in a cooperative family the return of the team, otherwise the mean over the row's seats
 * @throws REQUEST_CONFLICT when a policy does not fit a seat
 */
export async function crossPlayReturns(play: CrossPlay, loadPolicy: PolicyLoader): Promise<number[]> {
  const { world, simulator, rows, episodes, seed } = play;
  const [played] = await evaluate(await playerOf(play, loadPolicy), {
    world,
    learners: rows,
    simulators: [{ simulator, randomization: {} }],
    episodes,
    loadPolicy,
    seed,
    onProgress: () => undefined,
  });
  return played!.episodes.map((outcome) => outcome.return);
}

/** The row's exported policies in the place of a learner. */
async function playerOf({ world, policies, mode }: CrossPlay, loadPolicy: PolicyLoader): Promise<Player> {
  const models = new Map<number, PolicyModel>();
  // Groups without a seat of the row are left out: nobody asks for them.
  for (const [group, artifact] of Object.entries(policies)) models.set(Number(group), await loadPolicy(artifact));
  return { kind: 'policy', learner: policiesOfModels(world, models), mode };
}
