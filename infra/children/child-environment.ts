/** What any program may need to start, to find its files and to speak; and what ours must know of the worker's settings. */
const KEPT = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'THAW_HOME', 'THAW_ARTIFACTS', 'THAW_LOG_LEVEL'] as const;

/** The whole environment of a training process: no address, password or option of the worker reaches it but for these. */
export function childEnvironment(ours: Readonly<NodeJS.ProcessEnv>): Record<string, string> {
  return Object.fromEntries(KEPT.flatMap((name) => (ours[name] === undefined ? [] : [[name, ours[name]] as const])));
}
