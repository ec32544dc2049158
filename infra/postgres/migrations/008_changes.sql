-- Up Migration

-- Whoever listens on the channel thaw_runs is told of every run that moves on: as JSON its experiment, its id, its state and how
-- far it has come; only the experiment where runs are new or deleted. Nobody listens: nothing is kept.
-- A restored backup of an older schema comes here with the tables gone and the functions still there.
create or replace function tell_changed_run() returns trigger language plpgsql as $$
declare
  told text := json_build_object('experiment_id', new.experiment_id, 'run_id', new.id, 'state', new.state,
                                 'rounds_completed', new.rounds_completed, 'env_steps', new.env_steps);
begin
  -- Postgres refuses a longer text, and with it the transaction.
  if octet_length(told) < 8000 then
    perform pg_notify('thaw_runs', told);
  end if;
  return null;
end $$;

create or replace function tell_changed_experiments() returns trigger language plpgsql as $$
begin
  perform pg_notify('thaw_runs', json_build_object('experiment_id', experiment_id)::text)
     from (select distinct experiment_id from moved) m where octet_length(experiment_id) < 7000;
  return null;
end $$;

-- Reports of progress within a round change none of these, and are not told.
create trigger runs_changed after update on runs for each row
  when (old.state is distinct from new.state or old.rounds_completed is distinct from new.rounds_completed
        or old.env_steps is distinct from new.env_steps)
  execute function tell_changed_run();
create trigger runs_added after insert on runs referencing new table as moved
  for each statement execute function tell_changed_experiments();
create trigger runs_deleted after delete on runs referencing old table as moved
  for each statement execute function tell_changed_experiments();
