-- Up Migration

-- A paused experiment starts nothing, and its runs end as PAUSED after the step they are in; null when it is not paused.
alter table experiments add column paused_at timestamptz;
-- The experiment and the round that a fork goes on from.
alter table experiments add column forked_from text references experiments on delete set null;
alter table experiments add column forked_round integer;

-- How many times a run has been made smaller after it ran out of memory; see activities/shrunk-execution.
alter table runs add column shrinks integer not null default 0;
-- The run whose rounds a fork took over, and how many of them.
alter table runs add column forked_from text references runs on delete set null;
alter table runs add column forked_round integer;

-- What the attempt was allowed and how it was carried out; what the next one does otherwise, null for nothing.
alter table attempts add column memory_limit_mib integer;
alter table attempts add column sampler_processes integer;
alter table attempts add column chunk_rows integer;
alter table attempts add column next_change text;
