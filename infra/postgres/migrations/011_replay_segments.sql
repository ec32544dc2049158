-- Up Migration

-- What learners keep of former blocks of experience, for the algorithms that do. Every segment is a file of its own; these are the
-- ones that the checkpoint after a round lists, for as long as the run keeps the checkpoint.
create table replay_segments (
  run_id text not null references runs on delete cascade,
  round integer not null,
  hash text not null,
  bytes bigint not null,
  primary key (run_id, round, hash)
);
create index replay_segments_hash on replay_segments (hash);

-- How a round was carried out; no result depends on it. Share of the round for which each of several samplers waited, the training
-- process itself first, and the most memory that arrays held on a GPU; null without one.
alter table rounds add column sampler_idle_shares double precision[] not null default '{}';
alter table rounds add column peak_gpu_mib double precision;
