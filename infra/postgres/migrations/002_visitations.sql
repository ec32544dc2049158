-- Up Migration

-- Which states the learners visited while a checkpoint was evaluated: one histogram for each state feature of the family.
create table visitations (
  run_id text not null,
  round integer not null,
  checkpoint text not null,
  panel text not null,
  position integer not null,
  feature text not null,
  counts integer[] not null,
  primary key (run_id, round, checkpoint, panel, position, feature),
  foreign key (run_id, round, checkpoint, panel, position) references evaluations on delete cascade
);

-- Jensen–Shannon divergence from the states visited on the training pool; of checkpoint_scores the mean over the test panel.
alter table evaluations add column visitation_divergence double precision;
alter table checkpoint_scores add column visitation_divergence double precision;
