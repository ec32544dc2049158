import type { State } from '../mpe/state.ts';
import { CODE_BOOKS } from './code-books.ts';
import type { Conversation } from './conversation.ts';
import type { SpeakerPolicy } from './parameters.ts';

/** The code book in which the symbol is the index of the goal. */
export const PLAIN_CODE_BOOK = 0;

/**
 * The policies of scripted speakers.
 * - `faithful` says the index of the goal. - `code_book` says the symbol that stands for it in a code book.
 * - `drawn_code_book` does so with one that is drawn for each episode. - `once` is faithful in the first step, and then
 *   says 0. - `noop` says 0 always, which tells nothing.
 */
export class SpeakerPolicies {
  private readonly state: State;
  private readonly conversation: Conversation;

  constructor(state: State, conversation: Conversation) {
    this.state = state;
    this.conversation = conversation;
  }

  /** The symbol, 0 … 2. @param codeBook index of the one that the partner has */
  decide(policy: SpeakerPolicy, environment: number, codeBook: number): number {
    const goal = this.conversation.goal[environment]!;
    switch (policy) {
      case 'noop':
      case 'random':
        return 0;
      case 'once':
        return this.state.step[environment] === 0 ? goal : 0;
      case 'faithful':
        return CODE_BOOKS[PLAIN_CODE_BOOK]![goal]!;
      case 'code_book':
      case 'drawn_code_book':
        return CODE_BOOKS[codeBook]![goal]!;
    }
  }
}
