-- Up Migration

-- Finished episodes one by one, for strategies that ask for them: columns of equal length, the oldest first. `drawn` holds,
-- episode by episode, what was drawn for those of entries with ranges, by path in ascending order.
create table episode_samples (
  run_id text not null references runs on delete cascade,
  round integer not null,
  -- 'training', or 'mining' before the decision at the end of the round.
  source text not null,
  -- In the pool of the round, or among the simulators mined in it.
  positions integer[] not null,
  drawn double precision[] not null,
  returns double precision[] not null,
  successes boolean[] not null,
  shortfalls double precision[] not null,
  primary key (run_id, round, source)
);

-- Validation simulators as they were mined, before the decision at the end of a round.
create table mined_simulators (
  run_id text not null references runs on delete cascade,
  round integer not null,
  position integer not null,
  name text not null,
  simulator_hash text not null references simulators,
  episodes integer not null,
  return_mean double precision not null,
  random_mean double precision not null,
  known_mean double precision not null,
  known_by text not null,
  is_impossible boolean not null,
  primary key (run_id, round, position)
);

-- Mined episodes that went badly; with the simulator, the key and the actions each can be played again.
create table failures (
  run_id text not null references runs on delete cascade,
  round integer not null,
  position integer not null,
  name text not null,
  simulator_hash text not null references simulators,
  episode integer not null,
  key_high bigint not null,
  key_low bigint not null,
  return double precision not null,
  score double precision not null,
  key_moment integer not null,
  features double precision[] not null,
  failure_group integer not null,
  is_medoid boolean not null,
  actions json not null,
  rewards double precision[] not null,
  critic_values double precision[] not null,
  primary key (run_id, round, position)
);

-- What a strategy thought of each simulator that might have entered the pool.
create table candidates (
  run_id text not null references runs on delete cascade,
  round integer not null,
  position integer not null,
  name text not null,
  simulator_hash text not null references simulators,
  parents json not null,
  origin text not null,
  -- The failure it was made from, by its name within the run.
  failure text,
  score double precision not null,
  novelty double precision not null,
  probe_episodes integer not null,
  probe_return double precision not null,
  -- Null for what entered.
  refusal text,
  primary key (run_id, round, position)
);

-- Entries of the pool before that a decision let go.
create table evictions (
  run_id text not null references runs on delete cascade,
  round integer not null,
  position integer not null,
  name text not null,
  simulator_hash text not null references simulators,
  contribution double precision,
  reason text not null,
  primary key (run_id, round, position)
);

alter table pools add column failure text;
alter table pools add column contribution double precision;
