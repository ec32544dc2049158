/** Words that stand in JSON for the numbers it does not have. */
type NumberWord = 'NaN' | 'Infinity' | '-Infinity';

/** An answer as the page uses it: numbers are numbers, NaN and the infinities among them. */
export type Decoded<T> = T extends NumberWord
  ? number
  : T extends string | number | boolean | null | undefined
    ? T
    : { [Key in keyof T]: Decoded<T[Key]> };

const NUMBERS: ReadonlyMap<string, number> = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

/** Keys whose text was written by people: a variant may be called NaN. `decoded.test.ts` holds them against the contract. */
export const TEXT_KEYS: ReadonlySet<string> = new Set(
  (
    'id run_id experiment_id experiment_name name version variant simulator family description program_version ' +
    'result_hash forked_from strategy algorithm specialist metric metrics next round baseline comparability warnings ' +
    'reason verdict best_verdict same_as worker message log_tail next_change exit outcome kind code remedy first second ' +
    'columns rows parents failure exit_reason refusal hash known_by headline evidence summary label caption ending role ' +
    'driver source licence personal_data action_names experiments at created_at started_at finished_at ended_at'
  ).split(' '),
);

/** Keys below which nothing is decoded. */
export const TEXT_BRANCHES: ReadonlySet<string> = new Set(['labels', 'resolved', 'panels']);

/** Turns the words for numbers that JSON lacks into these numbers, except where the text is somebody's own. */
export function decode<T>(answer: T, key = ''): Decoded<T> {
  return decodeValue(answer, key) as Decoded<T>;
}

function decodeValue(value: unknown, key: string): unknown {
  if (typeof value === 'string') return TEXT_KEYS.has(key) ? value : (NUMBERS.get(value) ?? value);
  if (Array.isArray(value)) return value.map((item) => decodeValue(item, key));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, TEXT_BRANCHES.has(name) ? item : decodeValue(item, name)]),
  );
}
