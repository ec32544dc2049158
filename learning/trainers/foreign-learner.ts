import { ThawError } from '../../schemas/errors.ts';
import type { SeatGroup } from '../../simulators/contract.ts';
import type {
  Actor,
  ActorOptions,
  Learner,
  LearnerSetup,
  PolicyDescription,
  ReleasableModel,
} from '../algorithms/contract.ts';
import { actionHead } from '../rollout/action-head.ts';
import { describeModel } from '../rollout/partner-policies.ts';
import { PLAIN_NEEDS } from '../rollout/rollout-buffer.ts';
import { bytesFromForeign, foreignFromBytes, type ForeignState } from './foreign-checkpoint.ts';

// Letters: R rows, I input features, O outputs.

const NOTHING: ForeignState = { files: new Map(), policies: new Map() };

/**
 * The policies of a run that a program of the user trains: they act here, and are replaced as a whole when the program has
 * trained. Before its first round a run has none, and acts at random. It has no critic: its values are NaN.
 */
export class ForeignLearner implements Learner {
  readonly needs = PLAIN_NEEDS;
  readonly replay = null;
  readonly divergence = null;
  readonly updateIndex = 0;
  /** Nothing here discounts. */
  readonly returns = { gamma: 1, lambda: 1 };
  private readonly setup: LearnerSetup;
  private current = NOTHING;
  /** By role. */
  private models: ReadonlyMap<string, ReleasableModel> = new Map();

  constructor(setup: LearnerSetup) {
    this.setup = setup;
  }

  /** What the program left behind last. */
  get state(): ForeignState {
    return this.current;
  }

  get isUntrained(): boolean {
    return this.models.size === 0;
  }

  get policies(): readonly PolicyDescription[] {
    const { world } = this.setup;
    return world.groups.map((seats, group) => {
      const model = this.models.get(seats.role);
      return model === undefined ? anyPolicy(seats, group) : describeModel(world, group, model);
    });
  }

  /** @throws REQUEST_CONFLICT when nothing was trained for the role of the group */
  async createActor(group: number, rowCount: number, { values }: ActorOptions): Promise<Actor> {
    const seats = this.setup.world.groups[group]!;
    const model = this.models.get(seats.role);
    if (model !== undefined) return withoutCritic(await model.createActor(rowCount, seats.actions), values);
    if (this.isUntrained) return withoutCritic(uniformActor(seats, rowCount), values);
    throw new ThawError('REQUEST_CONFLICT', `the trainer gave no policy for ${seats.role}, and one is to act here`, {
      remedy: `Have it export a policy for "${seats.role}" as well.`,
    });
  }

  /** @throws DEFECT_INVARIANT because nothing here learns */
  async update(): Promise<never> {
    throw new ThawError('DEFECT_INVARIANT', 'what a trainer of the user learns is not learnt here');
  }

  save(): Uint8Array {
    return bytesFromForeign(this.current);
  }

  /**
   * @throws REQUEST_BAD_ARGUMENT when a policy is no ONNX model of the expected inputs and outputs
   * @throws REQUEST_CONFLICT when one does not fit the seats of its role, or the bytes are of another algorithm
   */
  async load(bytes: Uint8Array): Promise<void> {
    await this.take(foreignFromBytes(bytes));
  }

  /** The same with what a program has just left behind. */
  async take(state: ForeignState): Promise<void> {
    const { world, loadModel } = this.setup;
    if (loadModel === undefined) throw new ThawError('DEFECT_INVARIANT', 'policies cannot be loaded here');
    await this.release();
    const models = new Map<string, ReleasableModel>();
    this.models = models;
    for (const [role, content] of state.policies) {
      const model = await loadModel(content, `the trainer's policy for ${role}`);
      models.set(role, model);
      describeModel(world, groupOf(world.groups, role), model);
    }
    this.current = state;
  }

  policyFile(group: number): Uint8Array | null {
    return this.current.policies.get(this.setup.world.groups[group]!.role) ?? null;
  }

  policyGraph(): never {
    throw new ThawError('DEFECT_INVARIANT', 'the policies of a trainer are files already');
  }

  async release(): Promise<void> {
    const { models } = this;
    this.models = new Map();
    this.current = NOTHING;
    await Promise.all([...models.values()].map((model) => model.release()));
  }
}

/** @throws REQUEST_CONFLICT when nobody has this role */
function groupOf(groups: readonly SeatGroup[], role: string): number {
  const group = groups.findIndex((seats) => seats.role === role);
  if (group >= 0) return group;
  const roles = groups.map((seats) => `"${seats.role}"`).join(', ');
  throw new ThawError('REQUEST_CONFLICT', `the trainer gave a policy for "${role}"; the roles here are ${roles}`, {
    remedy: 'Name the policies in `policies` of the result by these roles.',
  });
}

/** The simplest policy that would fit, of which nothing is known. */
function anyPolicy({ observationSize, actions }: SeatGroup, group: number): PolicyDescription {
  return { group, inputSize: observationSize, identitySize: 0, actions, isMasked: false, memorySize: 0 };
}

/** All actions alike. */
function uniformActor({ observationSize, actions }: SeatGroup, rowCount: number): Actor {
  const logits = new Float32Array(rowCount * actionHead(actions).outputSize);
  return {
    rowCount,
    inputs: new Float32Array(rowCount * observationSize),
    masks: null,
    joint: null,
    memory: null,
    logits,
    values: null,
    // Whoever keeps it from illegal actions writes over them.
    forward: async () => void logits.fill(0),
    release: async () => undefined,
  };
}

/** Where values are asked for, nothing is known of them. */
function withoutCritic(actor: Actor, asksValues: boolean): Actor {
  const { rowCount, inputs, masks, joint, memory, logits } = actor;
  return {
    ...{ rowCount, inputs, masks, joint, memory, logits },
    values: asksValues ? new Float32Array(rowCount).fill(NaN) : null,
    forward: () => actor.forward(),
    release: () => actor.release(),
  };
}
