-- Up Migration

-- What was brought in from elsewhere, by the name that specs use. The hash is that of all that can change what came of it:
-- the recording as it is stored, the world, and how starts and partners were made.
create table imports (
  name text primary key,
  kind text not null,
  content_hash text not null unique,
  family text not null,
  family_version text not null,
  family_options json not null,
  source text not null,
  licence text not null,
  personal_data text not null check (personal_data in ('removed', 'none')),
  importer_version integer not null,
  program_version text not null,
  settings json not null,
  recording_hash text not null,
  recording_bytes bigint not null,
  episodes integer not null,
  steps integer not null,
  created_at timestamptz not null default now()
);

-- States of a recording that episodes can start from, as `scenarios.start` is written.
create table import_starts (
  import text not null references imports on delete cascade,
  position integer not null,
  name text not null,
  start_hash text not null,
  start json not null,
  episode text not null,
  step integer not null,
  return double precision,
  primary key (import, position),
  unique (import, name)
);
create index import_starts_hash on import_starts (start_hash);

-- Policies cloned from what a seat did, and how well each tells held-out actions.
create table import_partners (
  import text not null references imports on delete cascade,
  seat integer not null,
  role text not null,
  artifact text not null,
  bytes bigint not null,
  report json not null,
  primary key (import, seat)
);
create index import_partners_artifact on import_partners (artifact);

-- Which experiments contain something of an import. It cannot be deleted while one does.
create table experiment_imports (
  experiment_id text not null references experiments on delete cascade,
  import text not null references imports,
  primary key (experiment_id, import)
);
create index experiment_imports_import on experiment_imports (import);
