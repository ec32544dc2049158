import type { Partners } from '../mpe/batch.ts';
import { choiceAt } from '../scripted-partner.ts';
import { PartnerHabits, UNDECIDED } from '../mpe/partner-habits.ts';
import type { State } from '../mpe/state.ts';
import type { ParameterColumns } from '../parameter-columns.ts';
import { AdversaryPolicies } from './adversary-policies.ts';
import {
  ADVERSARY_CHOICES,
  type AdversaryPolicy,
  PREY_CHOICES,
  PREY_WEIGHTS,
  type PreyPolicy,
  type Seating,
} from './parameters.ts';
import { PreyPolicies, WEIGHT_COUNT, WEIGHTS_OF } from './prey-policies.ts';

const WEIGHT_NAMES = Object.keys(PREY_WEIGHTS);

interface PreyColumns {
  readonly corner: Float64Array;
  readonly weights: readonly Float64Array[];
}

/** The scripted partners: habits first (see `mpe/partner-habits.ts`), then the policy of their role. */
export class TagPartners implements Partners {
  private readonly state: State;
  private readonly adversaryCount: number;
  private readonly habits: PartnerHabits;
  private readonly adversaries: AdversaryPolicies;
  private readonly prey: PreyPolicies;
  private readonly names: readonly Float64Array[];
  /** One for each prey. */
  private readonly preyColumns: readonly PreyColumns[];
  /** Shape [B N WEIGHT_COUNT]; only those of prey are read. */
  private readonly weights: Float64Array;

  constructor(state: State, columns: ParameterColumns, seating: Seating) {
    const { adversaryCount, seatCount } = seating;
    this.state = state;
    this.adversaryCount = adversaryCount;
    this.habits = new PartnerHabits(state, columns);
    this.adversaries = new AdversaryPolicies(state, seating);
    this.prey = new PreyPolicies(state, seating);
    this.names = Array.from({ length: seatCount }, (_, seat) => columns.column(`partners.${seat}.name`));
    this.preyColumns = Array.from({ length: seatCount - adversaryCount }, (_, index) => {
      const prefix = `partners.${adversaryCount + index}`;
      return {
        corner: columns.column(`${prefix}.corner`),
        weights: WEIGHT_NAMES.map((name) => columns.column(`${prefix}.weights.${name}`)),
      };
    });
    this.weights = new Float64Array(state.environmentCount * seatCount * WEIGHT_COUNT);
  }

  begin(environment: number): void {
    for (let seat = 0; seat < this.state.seatCount; seat += 1) {
      const policy = this.policyOf(environment, seat);
      this.habits.begin(environment, seat, policy);
      if (seat >= this.adversaryCount) this.loadWeights(environment, seat, policy as PreyPolicy);
    }
  }

  decide(environment: number, seat: number): number {
    const habitual = this.habits.act(environment, seat);
    if (habitual !== UNDECIDED) return habitual;
    const policy = this.policyOf(environment, seat);
    if (seat < this.adversaryCount) return this.adversaries.decide(policy as AdversaryPolicy, environment, seat);
    const corner = this.preyColumns[seat - this.adversaryCount]!.corner[environment]!;
    const at = (environment * this.state.seatCount + seat) * WEIGHT_COUNT;
    return this.prey.decide(policy as PreyPolicy, environment, seat, corner, this.weights, at);
  }

  private policyOf(environment: number, seat: number): string {
    const choices: readonly string[] = seat < this.adversaryCount ? ADVERSARY_CHOICES : PREY_CHOICES;
    return choiceAt(choices, this.names[seat]![environment]!);
  }

  private loadWeights(environment: number, seat: number, policy: PreyPolicy): void {
    const named = WEIGHTS_OF[policy];
    const { weights } = this.preyColumns[seat - this.adversaryCount]!;
    const at = (environment * this.state.seatCount + seat) * WEIGHT_COUNT;
    for (let index = 0; index < WEIGHT_COUNT; index += 1) {
      this.weights[at + index] = named === undefined ? weights[index]![environment]! : named[index]!;
    }
  }
}
