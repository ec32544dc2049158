/** Verbs by what people do with them: headings and verbs in the order of the help. A test asserts that no verb is missing. */
export const VERB_GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Write an experiment': ['init', 'explain', 'import', 'validate', 'plan'],
  'Run it': ['run', 'submit'],
  'Watch it': ['ui', 'list', 'get', 'watch', 'wait', 'logs'],
  'Read what came out': ['results', 'diagnose', 'failures', 'simulators', 'cross-play', 'evaluate', 'rollout'],
  'Compare and export': ['compare', 'leaderboard', 'export'],
  'Control it': ['pause', 'resume', 'cancel', 'kill', 'retry', 'fork'],
  'Keep it': ['backup', 'restore', 'delete', 'gc'],
  'Services and this machine': ['up', 'down', 'status', 'doctor', 'worker', 'bench', 'completion', 'help'],
};

/** The heading of a verb that no group names, until one does. */
export const OTHER_VERBS = 'Others';

export function groupOfVerb(verb: string): string {
  const found = Object.entries(VERB_GROUPS).find(([, verbs]) => verbs.includes(verb));
  return found?.[0] ?? OTHER_VERBS;
}

/** Where a verb stands in the help; those that no group names come last. */
export function rankOfVerb(verb: string): number {
  const rank = Object.values(VERB_GROUPS).flat().indexOf(verb);
  return rank === -1 ? Number.MAX_SAFE_INTEGER : rank;
}
