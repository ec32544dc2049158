-- Up Migration

-- Who follows a log asks again and again for the attempts that have ended since.
create index attempts_ended_at on attempts (ended_at);
