-- Up Migration

-- How far trackers have come that experiments are mirrored to. What they are to be told is no table: rows of runs are never changed
-- once the round after them is committed. A tracker is named by what `execution.mirrors` says of it.
create table mirrors (
  experiment_id text not null references experiments on delete cascade,
  kind text not null,
  url text not null,
  -- Name of the experiment there.
  project text not null,
  -- The worker that tells it now, and until when it may without saying that it still does.
  claimed_by text,
  claimed_until timestamptz not null default '-infinity',
  due_at timestamptz not null default now(),
  -- Failures in a row, and what the last of them was.
  failures integer not null default 0,
  problem text,
  -- When the log was last told of a failure.
  noted_at timestamptz,
  is_complete boolean not null default false,
  primary key (experiment_id, kind, url, project)
);

create table mirrored_runs (
  run_id text not null references runs on delete cascade,
  experiment_id text not null,
  kind text not null,
  url text not null,
  project text not null,
  -- The last round that it has; −1 for none.
  sent_round integer not null,
  -- The state that it was told last.
  told_state text not null,
  primary key (run_id, kind, url, project),
  foreign key (experiment_id, kind, url, project) references mirrors on delete cascade
);

-- Workers ask every other second which experiments are mirrored at all.
create index experiments_mirrored on experiments (id) where (execution -> 'mirrors') is not null;
