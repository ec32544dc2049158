-- Up Migration

-- What the policy of one run, in the seats of the learners, gained with the policy of another run in the other seats.
create table cross_play (
  experiment_id text not null references experiments on delete cascade,
  row_variant text not null,
  seed bigint not null,
  column_variant text not null,
  column_seed bigint not null,
  -- Hash of all that the return depends on: simulator, policies, how they choose, episodes and their seed.
  play_hash text not null,
  -- Whose physics it was; the partners of that simulator were replaced.
  simulator_hash text not null,
  -- Group of seats → hash of the policy's file.
  learner_artifacts json not null,
  partner_artifacts json not null,
  evaluation_seed bigint not null,
  episodes integer not null,
  return_mean double precision not null,
  return_std double precision not null,
  primary key (experiment_id, row_variant, seed, column_variant, column_seed, play_hash)
);
-- What one experiment has played, another need not play again.
create index cross_play_hash on cross_play (play_hash);
