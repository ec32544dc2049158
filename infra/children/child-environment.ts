/** What any program may need to start, to find its files and to speak; and what ours must know of the worker's settings. */
const OURS = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'THAW_HOME', 'THAW_ARTIFACTS', 'THAW_LOG_LEVEL'] as const;
/** By which Python and its environments find what they need. */
const OF_ENVIRONMENTS = [
  'THAW_PYTHON',
  'THAW_ENVIRONMENT_PATIENCE_S',
  'PYTHONPATH',
  'VIRTUAL_ENV',
  'LD_LIBRARY_PATH',
  'MUJOCO_GL',
  'SC2PATH',
] as const;
const KEPT = [...OURS, ...OF_ENVIRONMENTS] as const;

/** The whole environment of a training process: no address, password or option of the worker reaches it but for these. */
export function childEnvironment(ours: Readonly<NodeJS.ProcessEnv>): Record<string, string> {
  return Object.fromEntries(KEPT.flatMap((name) => (ours[name] === undefined ? [] : [[name, ours[name]] as const])));
}
