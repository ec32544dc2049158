-- Up Migration

-- The scores of the last checkpoints, which lists of runs show and are in the order of: a row for a run among a hundred of rounds on
-- the way. A list of 10 000 runs by their held-out return took four times as long without it.
create index checkpoint_scores_last on checkpoint_scores (run_id, round desc) where checkpoint = 'last';
