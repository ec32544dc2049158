-- Up Migration

-- The scores of the last checkpoints, which lists of runs show and are in the order of: a row for a run among a hundred of rounds on
-- the way. Without it a list of 10 000 runs by their held-out return looks through those of every round.
create index checkpoint_scores_last on checkpoint_scores (run_id, round desc) where checkpoint = 'last';
