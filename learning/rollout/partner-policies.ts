import { ThawError } from '../../schemas/errors.ts';
import type { ActionArray, ActionSpace, Batch, SimulatorData, World } from '../../simulators/contract.ts';
import type { PolicyPartner } from '../../simulators/outside-partners.ts';
import { type Key, RandomStream } from '../../simulators/random.ts';
import type { PolicyDescription, PolicyModel } from '../algorithms/contract.ts';
import { actionHead } from './action-head.ts';
import { allEnvironments, type EnvironmentRange } from './environment-range.ts';
import { createRangeActor } from './range-actor.ts';
import { SeatActor } from './seat-actor.ts';

// Letters: B environments, N seats, I input features, O outputs, H numbers of a memory, W numbers of an action.

export type { PolicyModel };

/** Fetches a policy by the hash of its file. */
export type PolicyLoader = (artifact: string) => Promise<PolicyModel>;

/** For whoever has no policy partners. */
export const NO_POLICIES: PolicyLoader = async (artifact) => {
  throw new ThawError('DEFECT_INVARIANT', `nobody expected a policy partner here, and there is ${artifact}`);
};

/** What is going on in a batch: which simulator each environment holds, and how chance is keyed there. */
export interface RunningEpisodes {
  /** Shape [B]: index of the simulator. */
  readonly simulators: Int32Array;
  /** By environment: the key of the episode's actions. */
  readonly actionKeys: readonly Key[];
  /** Shape [B]: steps of the running episode so far. */
  readonly lengths: Int32Array;
}

interface PartnerPoliciesOptions {
  readonly environmentCount: number;
  readonly load: PolicyLoader;
  readonly range?: EnvironmentRange;
}

interface Partner {
  readonly artifact: string;
  readonly seated: SeatActor;
}

/** Lets the policy partners of a set of simulators act, each in the environments that hold one of its simulators. */
export class PartnerPolicies {
  private readonly simulators: readonly SimulatorData[];
  private readonly partners: readonly Partner[];
  private readonly seatCount: number;
  private readonly random = new RandomStream({ high: 0, low: 0 });

  private constructor(world: World, simulators: readonly SimulatorData[], partners: readonly Partner[]) {
    this.seatCount = world.seatCount;
    this.simulators = simulators;
    this.partners = partners;
  }

  /**
   * @param options.environmentCount forward passes have rows for every environment, whatever it holds
   * @param options.range the environments among them that are played here; all by default
   * @throws REQUEST_CONFLICT when a policy does not fit the seat it is put on
   */
  static async create(
    world: World,
    simulators: readonly SimulatorData[],
    { environmentCount, load, range = allEnvironments(environmentCount) }: PartnerPoliciesOptions,
  ): Promise<PartnerPolicies> {
    const artifacts = new Set(
      simulators.flatMap(({ partners }) =>
        Object.values(partners).flatMap((partner) => asPolicy(partner)?.artifact ?? []),
      ),
    );
    const partners = await Promise.all(
      [...artifacts].sort().map(async (artifact) => {
        const model = await load(artifact);
        const groups = world.groups.map(({ seats }) => seatsOf(simulators, artifact, seats));
        return Promise.all(
          groups.flatMap((seats, group) =>
            seats.length === 0 ? [] : [createPartner(world, { artifact, model, group, seats, range })],
          ),
        );
      }),
    );
    return new PartnerPolicies(world, simulators, partners.flat());
  }

  /** Writes the actions of the policy partners. @param actions shape [B N W], the other entries are left alone */
  async act(batch: Batch, episodes: RunningEpisodes, actions: ActionArray): Promise<void> {
    for (const partner of this.partners) {
      partner.seated.observe(batch, episodes.lengths);
      await partner.seated.forward();
      this.choose(partner, episodes, actions);
    }
  }

  async release(): Promise<void> {
    await Promise.all(this.partners.map(({ seated }) => seated.actor.release()));
  }

  private choose({ artifact, seated }: Partner, episodes: RunningEpisodes, actions: ActionArray): void {
    const { simulators, actionKeys, lengths } = episodes;
    seated.commit();
    let row = 0;
    for (let environment = 0; environment < simulators.length; environment += 1) {
      const { partners } = this.simulators[simulators[environment]!]!;
      const key = actionKeys[environment]!;
      this.random.rekey(key.high, key.low);
      for (const seat of seated.seats) {
        const partner = asPolicy(partners[String(seat)]);
        if (partner?.artifact === artifact) {
          this.random.seek(lengths[environment]! * this.seatCount + seat);
          const at = (environment * this.seatCount + seat) * seated.head.actionSize;
          if (this.random.nextUniform() < partner.epsilon) seated.head.any(this.random, actions, at);
          else seated.choose(partner.mode, row, this.random, actions, at);
        }
        row += 1;
      }
    }
  }
}

function asPolicy(partner: SimulatorData['partners'][string] | undefined): PolicyPartner | null {
  return partner?.kind === 'policy' ? (partner as PolicyPartner) : null;
}

/** The seats of a group that a policy holds in some simulator. */
function seatsOf(simulators: readonly SimulatorData[], artifact: string, seats: readonly number[]): number[] {
  return seats.filter((seat) =>
    simulators.some(({ partners }) => asPolicy(partners[String(seat)])?.artifact === artifact),
  );
}

async function createPartner(
  world: World,
  options: { artifact: string; model: PolicyModel; group: number; seats: number[]; range: EnvironmentRange },
): Promise<Partner> {
  const { artifact, model, group, seats, range } = options;
  const policy = describeModel(world, group, model);
  const actor = await createRangeActor(range, seats.length, (rowCount) => model.createActor(rowCount, policy.actions));
  return { artifact, seated: new SeatActor({ world, policy, seats, environmentCount: range.count, actor }) };
}

/**
 * How a policy fits the seats of a group: it takes their observation, with or without the one-hot of a shared network.
 * @throws REQUEST_CONFLICT when it takes or gives something else
 */
export function describeModel(world: World, group: number, model: Omit<PolicyModel, 'createActor'>): PolicyDescription {
  const { inputSize, outputSize, actionKind, isMasked, memorySize } = model;
  const { observationSize, seats, actions } = world.groups[group]!;
  const identitySize = inputSize - observationSize;
  const fits = identitySize === 0 || identitySize === seats.length;
  const isAsMany = (outputSize ?? actionHead(actions).outputSize) === actionHead(actions).outputSize;
  if (fits && actionKind === actions.kind && isAsMany) {
    return { group, inputSize, identitySize, actions, isMasked, memorySize };
  }
  throw misfit(world, group, model);
}

function misfit(world: World, group: number, model: Omit<PolicyModel, 'createActor'>): ThawError {
  const { observationSize, seats, actions, role } = world.groups[group]!;
  const { inputSize, described } = model;
  return new ThawError(
    'REQUEST_CONFLICT',
    `the policy takes ${inputSize} features and gives ${givenText(model)}; a seat of ${world.family} (${role}) with these options has ${observationSize} (or ${observationSize + seats.length} with its identity) and ${wordsOf(actions)}` +
      (described === undefined ? '' : `. Found in the file: ${described}. Expected: ${expectedText(world, group)}`),
    { remedy: 'Use the family options that the policy was trained with, or another policy.' },
  );
}

function givenText({ actionKind, outputSize }: Pick<PolicyModel, 'actionKind' | 'outputSize'>): string {
  if (outputSize === null) return 'the index of an action';
  return actionKind === 'discrete'
    ? `logits of ${outputSize} actions`
    : `mean and log deviation of ${outputSize / 2} continuous actions`;
}

function wordsOf(actions: ActionSpace): string {
  if (actions.kind === 'discrete') return `${actions.count} actions`;
  return `${actions.low.length} continuous actions`;
}

/** What a file may take and give to act on the seats of a group. */
function expectedText(world: World, group: number): string {
  const { observationSize, seats, actions, masked } = world.groups[group]!;
  const inputs = [
    `one input float32 [rows, ${observationSize}] or [rows, ${observationSize + seats.length}]`,
    ...(masked === true && actions.kind === 'discrete' ? [`if it wants, action_mask [rows, ${actions.count}]`] : []),
  ];
  const outputs =
    actions.kind === 'discrete'
      ? `logits float32 [rows, ${actions.count}] or the index of an action, int64 [rows]`
      : `mean float32 [rows, ${actions.low.length}] (and log_std), or action float32 [rows, ${actions.low.length}]`;
  return `${inputs.join('; ')}; ${outputs}`;
}
