-- Up Migration

-- Which states the learners visited in the last update block of the round: one histogram for each state feature.
alter table training_episodes add column visitation json not null default '[]';
