/** What a line of the SDK's log is about, under the names that our own lines have. @param meta the SDK's own facts */
export function loggedIds(meta: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, unknown>> {
  const workflowId = meta?.['workflowId'];
  if (typeof workflowId !== 'string') return {};
  const [kind, experiment, variant, seed] = workflowId.split('/');
  if (kind === 'experiment') return { experiment };
  if (kind !== 'run') return {};
  return { experiment, run: workflowId.slice('run/'.length), variant, seed: Number(seed) };
}
