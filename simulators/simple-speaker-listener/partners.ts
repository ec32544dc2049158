import type { Partners } from '../mpe/batch.ts';
import { PartnerHabits, UNDECIDED } from '../mpe/partner-habits.ts';
import type { State } from '../mpe/state.ts';
import type { ParameterColumns } from '../parameter-columns.ts';
import { choiceAt } from '../scripted-partner.ts';
import { CODE_BOOKS } from './code-books.ts';
import type { Conversation } from './conversation.ts';
import { ListenerPolicies } from './listener-policies.ts';
import {
  LISTENER,
  LISTENER_CHOICES,
  type ListenerPolicy,
  SPEAKER,
  SPEAKER_CHOICES,
  type SpeakerPolicy,
} from './parameters.ts';
import { SpeakerPolicies } from './speaker-policies.ts';

/** The scripted partners: habits first (see `mpe/partner-habits.ts`), then the policy of their role. */
export class TalkPartners implements Partners {
  private readonly habits: PartnerHabits;
  private readonly speakers: SpeakerPolicies;
  private readonly listeners: ListenerPolicies;
  private readonly speakerName: Float64Array;
  private readonly listenerName: Float64Array;
  private readonly speakerCodeBook: Float64Array;
  private readonly listenerCodeBook: Float64Array;
  private readonly listenerLandmark: Float64Array;
  /** Shape [B]: the code book of a speaker who draws one for the episode. */
  private readonly drawnCodeBook: Int32Array;

  constructor(state: State, columns: ParameterColumns, conversation: Conversation) {
    this.habits = new PartnerHabits(state, columns);
    this.speakers = new SpeakerPolicies(state, conversation);
    this.listeners = new ListenerPolicies(state, conversation);
    this.speakerName = columns.column(`partners.${SPEAKER}.name`);
    this.listenerName = columns.column(`partners.${LISTENER}.name`);
    this.speakerCodeBook = columns.column(`partners.${SPEAKER}.code_book`);
    this.listenerCodeBook = columns.column(`partners.${LISTENER}.code_book`);
    this.listenerLandmark = columns.column(`partners.${LISTENER}.landmark`);
    this.drawnCodeBook = new Int32Array(state.environmentCount);
  }

  begin(environment: number): void {
    const speaker = choiceAt(SPEAKER_CHOICES, this.speakerName[environment]!);
    this.habits.begin(environment, SPEAKER, speaker);
    this.habits.begin(environment, LISTENER, choiceAt(LISTENER_CHOICES, this.listenerName[environment]!));
    this.drawnCodeBook[environment] =
      speaker === 'drawn_code_book' ? this.habits.drawForEpisode(environment, SPEAKER, CODE_BOOKS.length) : 0;
  }

  decide(environment: number, seat: number): number {
    const habitual = this.habits.act(environment, seat);
    if (habitual !== UNDECIDED) return habitual;
    return seat === SPEAKER ? this.decideWord(environment) : this.decideMove(environment);
  }

  private decideWord(environment: number): number {
    const policy = choiceAt(SPEAKER_CHOICES, this.speakerName[environment]!) as SpeakerPolicy;
    const codeBooks = policy === 'drawn_code_book' ? this.drawnCodeBook : this.speakerCodeBook;
    return this.speakers.decide(policy, environment, codeBooks[environment]!);
  }

  private decideMove(environment: number): number {
    const policy = choiceAt(LISTENER_CHOICES, this.listenerName[environment]!) as ListenerPolicy;
    const codeBook = this.listenerCodeBook[environment]!;
    return this.listeners.decide(policy, environment, codeBook, this.listenerLandmark[environment]!);
  }
}
