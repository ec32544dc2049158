import type { CloneOptions } from '../../learning/imitation/clone-policy.ts';
import type { StartRule } from '../../learning/recordings/recorded-starts.ts';
import { ThawError } from '../../schemas/errors.ts';

/** Changes when the same recording can give other starts or other partners. */
export const IMPORTER_VERSION = 2;

/** How partners are cloned; the seed is the caller's. */
export const CLONING: Omit<CloneOptions, 'seed'> = {
  hiddenSizes: [64, 64],
  learningRate: 1e-3,
  minibatch: 256,
  epochsMax: 200,
  patienceEpochs: 10,
  heldoutShare: 0.2,
};

/** Where a recording comes from. None of it has a default: whoever imports must know. */
export interface Claims {
  readonly source: string;
  readonly licence: string;
  readonly personalData: 'removed' | 'none';
}

export interface ImportRequest {
  readonly file: string;
  readonly family: string;
  readonly options: unknown;
  readonly name: string;
  readonly claims: Claims;
  /** Undefined for the start of every episode, where states were recorded. */
  readonly starts: StartRule | undefined;
  /** Seats; undefined for all whose observations and actions were recorded. */
  readonly partners: readonly number[] | undefined;
  /** Keys of lines that are left out. */
  readonly dropKeys: readonly string[];
  readonly seed: number;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const TEXT_LENGTH_MAX = 1_000;

/** What the command line gives, before it is known to be complete. */
export interface GivenClaims {
  readonly name?: string;
  readonly source?: string;
  readonly licence?: string;
  readonly personalData?: string;
}

/**
 * What somebody says of a recording.
 * @throws REQUEST_BAD_ARGUMENT with all that is missing or wrong
 */
export function checkedClaims(given: GivenClaims): { readonly name: string; readonly claims: Claims } {
  const { name = '', source = '', licence = '', personalData = '' } = given;
  const wrong = [
    ...(NAME.test(name) ? [] : [`--name: expected letters, digits, ".", "_" and "-", at most 64; found "${name}"`]),
    ...textProblems('--source', source, 'where the recording comes from, an address or in words'),
    ...textProblems('--licence', licence, 'under which licence it may be used, e.g. an SPDX identifier'),
    ...(personalData === 'removed' || personalData === 'none'
      ? []
      : [`--personal-data: expected "removed" or "none" (there never were any); found "${personalData}"`]),
  ];
  if (wrong.length === 0)
    return { name, claims: { source, licence, personalData: personalData as 'removed' | 'none' } };
  throw new ThawError('REQUEST_BAD_ARGUMENT', `Nothing is imported:\n${wrong.map((each) => `  ${each}`).join('\n')}`, {
    remedy:
      'Say where the recording comes from, e.g. `--source https://example.org/runs --licence CC-BY-4.0 --personal-data none`: ' +
      'it goes with every export. Ask whoever made it if you do not know.',
  });
}

function textProblems(option: string, text: string, what: string): string[] {
  if (text.trim() !== '' && text.length <= TEXT_LENGTH_MAX) return [];
  return [`${option}: expected ${what}; found ${text.trim() === '' ? 'nothing' : `${text.length} characters`}`];
}

/** `none`, `first`, `every:K` or `low:PERCENT`; null for anything else. */
export function startRuleFrom(text: string): StartRule | null {
  if (text === 'none' || text === 'first') return { kind: text };
  const [, kind, number] = /^(every|low):([0-9]{1,6})$/.exec(text) ?? [];
  const value = Number(number);
  if (kind === 'every' && value >= 1) return { kind, steps: value };
  return kind === 'low' && value >= 1 && value <= 100 ? { kind, percent: value } : null;
}

/** `none`, or seats separated by commas; null for anything else. */
export function seatsFrom(text: string): readonly number[] | null {
  if (text === 'none') return [];
  return /^[0-9]{1,4}(,[0-9]{1,4})*$/.test(text)
    ? [...new Set(text.split(',').map(Number))].sort((a, b) => a - b)
    : null;
}
