/** Who must act: the author of the request, nobody but time, or a programmer of Thaw. */
export type ErrorKind = 'request' | 'world' | 'defect';

export interface ErrorEntry {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly remedy: string;
}

/** Every error code with what it means and what to do. `docs/errors.md` is generated from it. One code per remedy. */
export const ERROR_CATALOGUE = {
  REQUEST_INVALID_SPEC: {
    kind: 'request',
    message: 'The experiment is not valid.',
    remedy: 'Correct the places listed; `thaw validate FILE` checks again without starting anything.',
  },
  REQUEST_FILE_UNREADABLE: {
    kind: 'request',
    message: 'A file cannot be read.',
    remedy: 'Check the path, and that you may read it.',
  },
  REQUEST_NOT_JSON: {
    kind: 'request',
    message: 'The file is not JSON.',
    remedy: 'Correct the syntax at the line and column named.',
  },
  REQUEST_NOT_AVAILABLE: {
    kind: 'request',
    message: 'This version of Thaw does not have what was asked for.',
    remedy: 'Use one of the alternatives named in the message.',
  },
  REQUEST_UNKNOWN_ID: {
    kind: 'request',
    message: 'No experiment or run has this id.',
    remedy: '`thaw list` shows what there is; a unique prefix of an id and `@latest` are accepted.',
  },
  REQUEST_BAD_ARGUMENT: {
    kind: 'request',
    message: 'An argument of the command is wrong.',
    remedy: 'See the help of the command: `thaw help COMMAND`.',
  },
  REQUEST_CONFLICT: {
    kind: 'request',
    message: 'The request does not fit what is stored.',
    remedy: 'See the difference shown.',
  },
  REQUEST_NOT_ALLOWED: {
    kind: 'request',
    message: 'The server of the page does not allow this.',
    remedy: 'Open the link that `thaw ui` prints; orders are taken where it was started with `--allow-control`.',
  },
  REQUEST_DEVICE_MISSING: {
    kind: 'request',
    message: 'The device asked for is not on this machine.',
    remedy: 'Run with `--set execution.device=cpu`, or start a worker on a machine that has the device.',
  },
  REQUEST_ENVIRONMENT_UNUSABLE: {
    kind: 'request',
    message: 'An environment in Python cannot be used.',
    remedy: 'Install or correct what the message names; THAW_PYTHON says which Python is asked.',
  },
  WORLD_POSTGRES_UNAVAILABLE: {
    kind: 'world',
    message: 'Postgres does not answer.',
    remedy: '`thaw doctor` shows which database is configured and why it fails.',
  },
  WORLD_TEMPORAL_UNAVAILABLE: {
    kind: 'world',
    message: 'The Temporal server does not answer.',
    remedy: '`thaw doctor` shows which server is configured and why it fails.',
  },
  WORLD_DOWNLOAD_FAILED: {
    kind: 'world',
    message: 'A program that Thaw needs could not be fetched.',
    remedy: 'Check the network, or install the program by hand and name its path as the message says.',
  },
  WORLD_DISK: {
    kind: 'world',
    message: 'A file could not be written or read back.',
    remedy: 'Check free space and permissions of THAW_HOME.',
  },
  WORLD_SUPERVISOR_UNAVAILABLE: {
    kind: 'world',
    message: 'The background supervisor did not start or does not answer.',
    remedy: 'Look at `supervisor.log` in THAW_HOME; `thaw down` stops what is left of it.',
  },
  WORLD_CHILD_DIED: {
    kind: 'world',
    message: 'A training process ended before its result.',
    remedy: 'Nothing to do while retries remain; `thaw logs RUN` shows its last words.',
  },
  WORLD_ATTEMPT_SUPERSEDED: {
    kind: 'world',
    message: 'A newer attempt, or a stop, has taken over this run.',
    remedy: 'Nothing to do: the newer attempt goes on from the last committed round.',
  },
  WORLD_TRACKER_UNAVAILABLE: {
    kind: 'world',
    message: 'A tracker that an experiment is mirrored to does not take what it is told.',
    remedy: 'Nothing of the runs depends on it, and it is tried again; `thaw get ID` shows what it said.',
  },
  WORLD_ENVIRONMENT_FAILED: {
    kind: 'world',
    message: 'An environment in Python failed.',
    remedy: 'Mend the environment: its last words say where it failed, and `thaw rollout` plays it alone.',
  },
  WORLD_ENVIRONMENT_STALLED: {
    kind: 'world',
    message: 'An environment in Python did not answer in time.',
    remedy: 'Look at the stack in its last words; THAW_ENVIRONMENT_PATIENCE_S gives every step and reset more time.',
  },
  WORLD_ENVIRONMENT_LOST: {
    kind: 'world',
    message: 'The Python process of an environment was ended from outside.',
    remedy: 'Nothing to do while retries remain.',
  },
  DEFECT_SHAPE_MISMATCH: {
    kind: 'defect',
    message: 'Two arrays that must fit do not.',
    remedy: 'Report it with the log: this is a fault of Thaw.',
  },
  DEFECT_INVARIANT: {
    kind: 'defect',
    message: 'Something that cannot happen happened.',
    remedy: 'Report it with the log: this is a fault of Thaw.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;
