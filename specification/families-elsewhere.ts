/** Families under the names that they have in other programs, with ours. */
export const FAMILIES_ELSEWHERE: Readonly<Record<string, string>> = {
  overcooked: 'kitchen',
  overcooked_ai: 'kitchen',
};
