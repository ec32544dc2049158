-- Up Migration

-- An experiment is data: what was submitted, what it became, and under which identity.
create table experiments (
  id text primary key,
  name text not null,
  version integer not null,
  identity_hash text not null unique,
  result_hash text not null,
  -- json and not jsonb: the order of variants is the order of the table's columns.
  document json not null,
  resolved json not null,
  execution json not null,
  source_file text not null,
  program_version text not null,
  created_at timestamptz not null default now(),
  unique (name, version)
);
create index experiments_created_at on experiments (created_at desc);

create table variants (
  experiment_id text not null references experiments on delete cascade,
  name text not null,
  position integer not null,
  variant_hash text not null,
  resolved json not null,
  primary key (experiment_id, name)
);

-- QUEUED RUNNING RETRYING PAUSED CANCELLING are on the way; SUCCEEDED FAILED CRASHED TIMED_OUT CANCELLED SKIPPED are final.
create table runs (
  id text primary key,
  experiment_id text not null references experiments on delete cascade,
  variant text not null,
  seed bigint not null,
  position integer not null,
  variant_hash text not null,
  state text not null default 'QUEUED',
  reason text,
  -- The number of the newest attempt. Only its holder may write rows of the run.
  fence integer not null default 0,
  rounds_completed integer not null default 0,
  env_steps bigint not null default 0,
  -- Of a SKIPPED run: the equal run that was finished before.
  same_as text references runs,
  progress_env_steps bigint,
  progress_at timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  unique (experiment_id, variant, seed),
  foreign key (experiment_id, variant) references variants (experiment_id, name) on delete cascade
);
create index runs_state on runs (state);
create index runs_identity on runs (variant_hash, seed) where state = 'SUCCEEDED';
create index runs_position on runs (experiment_id, position);

create table attempts (
  run_id text not null references runs on delete cascade,
  number integer not null,
  kind text not null,
  round integer not null,
  worker text not null,
  process_id integer,
  fingerprint json not null,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  -- Null while it runs; 'done' or a failure class.
  outcome text,
  exit_code integer,
  signal text,
  message text,
  log_tail text,
  peak_rss_mib double precision,
  primary key (run_id, number)
);

create table simulators (
  hash text primary key,
  family text not null,
  family_version text not null,
  family_options json not null,
  simulator json not null
);

create table pools (
  run_id text not null references runs on delete cascade,
  round integer not null,
  position integer not null,
  name text not null,
  simulator_hash text not null references simulators,
  weight double precision not null,
  parents json not null,
  reason text not null,
  primary key (run_id, round, position)
);

create table strategy_states (
  run_id text not null references runs on delete cascade,
  round integer not null,
  state json not null,
  episode_rule json not null,
  primary key (run_id, round)
);

create table rounds (
  run_id text not null references runs on delete cascade,
  round integer not null,
  env_steps bigint not null,
  checkpoint_hash text not null,
  wall_s double precision not null,
  peak_rss_mib double precision not null,
  primary key (run_id, round)
);

create table training_episodes (
  run_id text not null references runs on delete cascade,
  round integer not null,
  -- In the pool: two of its members may have equal content.
  position integer not null,
  simulator_hash text not null references simulators,
  name text not null,
  episodes integer not null,
  return_mean double precision not null,
  return_std double precision not null,
  length_mean double precision not null,
  success_rate double precision not null,
  primary key (run_id, round, position)
);

create table metrics (
  run_id text not null references runs on delete cascade,
  round integer not null,
  name text not null,
  value double precision not null,
  primary key (run_id, round, name)
);

create table evaluations (
  run_id text not null references runs on delete cascade,
  round integer not null,
  checkpoint text not null,
  panel text not null,
  position integer not null,
  name text not null,
  simulator_hash text not null references simulators,
  reference_hash text not null,
  weight double precision not null,
  episodes integer not null,
  return_mean double precision not null,
  return_std double precision not null,
  length_mean double precision not null,
  success_rate double precision not null,
  primary key (run_id, round, checkpoint, panel, position)
);

create table episodes (
  run_id text not null,
  round integer not null,
  checkpoint text not null,
  panel text not null,
  position integer not null,
  episode integer not null,
  return double precision not null,
  length integer not null,
  success boolean not null,
  primary key (run_id, round, checkpoint, panel, position, episode),
  foreign key (run_id, round, checkpoint, panel, position) references evaluations on delete cascade
);

-- The random policy's episodes, once per simulator and evaluation seed, whichever run asked first.
create table reference_episodes (
  reference_hash text not null,
  evaluation_seed bigint not null,
  episode integer not null,
  return double precision not null,
  primary key (reference_hash, evaluation_seed, episode)
);

create table artifacts (
  run_id text not null references runs on delete cascade,
  round integer not null,
  kind text not null,
  hash text not null,
  bytes bigint not null,
  primary key (run_id, round, kind)
);

-- A run SUCCEEDED if and only if it has a row here.
create table results (
  run_id text primary key references runs on delete cascade,
  env_steps bigint not null,
  best_round integer,
  peak_rss_mib double precision not null,
  wall_s double precision not null,
  program_version text not null
);

create table checkpoint_scores (
  run_id text not null references runs on delete cascade,
  round integer not null,
  checkpoint text not null,
  train_return double precision,
  validation_return double precision,
  heldout_return double precision,
  worst_heldout double precision,
  heldout_std double precision,
  collapse_gap double precision,
  relative_gap double precision,
  verdict text,
  -- The parts of relative_gap, which a variant's gap is summed from.
  train_gain double precision,
  heldout_gain double precision,
  primary key (run_id, round, checkpoint)
);

create table events (
  id bigserial primary key,
  experiment_id text references experiments on delete cascade,
  run_id text references runs on delete cascade,
  at timestamptz not null default now(),
  kind text not null,
  message text not null
);
create index events_run on events (run_id, id);
create index events_experiment on events (experiment_id, id);
