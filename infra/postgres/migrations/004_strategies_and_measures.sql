-- Up Migration

-- Ranges and whether the learners learn stand with every entry of a pool: a strategy may mix drawn and fixed simulators.
alter table pools add column randomization json not null default '{}';
alter table pools add column learns boolean not null default true;
update pools p set randomization = s.episode_rule -> 'randomization'
  from strategy_states s
 where s.run_id = p.run_id and s.round = p.round and s.episode_rule -> 'randomization' is not null;
update strategy_states set episode_rule = '{"groupSize":1}';

-- Policies that are trained inside the run; the first of them is the run's.
alter table strategy_states add column members json not null
  default '[{"name":"learner","seats":"learners","share":1,"reward":"own","hyperparameters":{},"copies":"learner"}]';

-- Scores of the training episodes of one simulator of the pool; null unless the strategy asked for them.
alter table training_episodes add column positive_value_loss double precision;
alter table training_episodes add column value_mean double precision;
alter table training_episodes add column discounted_return_max double precision;
alter table training_episodes add column shortfall double precision;

-- What the members of a run gained in a round's training episodes.
create table member_episodes (
  run_id text not null references runs on delete cascade,
  round integer not null,
  name text not null,
  episodes integer not null,
  return_mean double precision not null,
  primary key (run_id, round, name)
);

-- Env steps by what they were played for: training, scoring, mining, evaluation. Chance's reference returns are shared
-- between runs and stand in none.
create table costs (
  run_id text not null references runs on delete cascade,
  round integer not null,
  activity text not null,
  purpose text not null,
  env_steps bigint not null,
  primary key (run_id, round, activity, purpose)
);

-- What rounds of before trained is known from their rows; what evaluations played is not, and stays unknown.
insert into costs (run_id, round, activity, purpose, env_steps)
select run_id, round, 'train_round', 'training',
       env_steps - lag(env_steps, 1, 0::bigint) over (partition by run_id order by round)
  from rounds;

-- The panels of a variant by content: what is held out is refused by the query that feeds training.
create table panel_simulators (
  experiment_id text not null references experiments on delete cascade,
  variant text not null,
  panel text not null,
  position integer not null,
  name text not null,
  simulator_hash text not null,
  primary key (experiment_id, variant, panel, position),
  foreign key (experiment_id, variant) references variants (experiment_id, name) on delete cascade
);
create index panel_simulators_hash on panel_simulators (experiment_id, variant, simulator_hash);

alter table checkpoint_scores add column cvar_heldout double precision;
-- Of the behaviour in episodes with sampled actions on the training pool.
alter table checkpoint_scores add column zero_variance_share double precision;
alter table checkpoint_scores add column policy_entropy double precision;
alter table checkpoint_scores add column dwelling double precision;
alter table checkpoint_scores add column indifference double precision;

-- Of the evaluated rounds of a run together; null where nothing is held out, or too few rounds were evaluated.
alter table results add column rise_then_fall boolean;
alter table results add column fall double precision;
alter table results add column auc double precision;
alter table results add column roughness double precision;

-- The last policy on the training pool with one rule scaled, or with one scripted partner in every seat of a partner.
create table sensitivities (
  run_id text not null references runs on delete cascade,
  kind text not null,
  position integer not null,
  name text not null,
  factor double precision,
  episodes integer not null,
  return_mean double precision not null,
  -- Return given up against the unchanged simulators, as a share of what was gained over the random policy.
  loss double precision not null,
  is_cliff boolean,
  primary key (run_id, kind, position)
);
