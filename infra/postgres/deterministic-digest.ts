import { createHash } from 'node:crypto';
import type { Database } from './database.ts';

/**
 * What of every table is a function of the spec and the seed: columns in the order of the text, and the key that rows are
 * ordered by. Times, memory, attempts, reasons and ids are left out.
 */
const SECTIONS: Readonly<Record<string, { readonly columns: string; readonly key: string }>> = {
  results: { columns: 'env_steps, best_round, rise_then_fall, fall, auc, roughness', key: 'env_steps' },
  rounds: { columns: 'round, env_steps, checkpoint_hash', key: 'round' },
  costs: { columns: 'round, activity, purpose, env_steps', key: 'round, activity collate "C", purpose collate "C"' },
  strategy_states: { columns: 'round, state, episode_rule, members', key: 'round' },
  pools: {
    columns:
      'round, position, name, simulator_hash, weight, parents, reason, randomization, learns, failure, contribution',
    key: 'round, position',
  },
  episode_samples: {
    columns: 'round, source, positions, drawn, returns, successes, shortfalls',
    key: 'round, source collate "C"',
  },
  mined_simulators: {
    columns:
      'round, position, name, simulator_hash, episodes, return_mean, random_mean, known_mean, known_by, is_impossible',
    key: 'round, position',
  },
  failures: {
    columns:
      'round, position, name, simulator_hash, episode, key_high, key_low, return, score, key_moment, features, failure_group, is_medoid, actions::text, rewards, critic_values',
    key: 'round, position',
  },
  candidates: {
    columns:
      'round, position, name, simulator_hash, parents, origin, failure, score, novelty, probe_episodes, probe_return, refusal',
    key: 'round, position',
  },
  evictions: { columns: 'round, position, name, simulator_hash, contribution, reason', key: 'round, position' },
  training_episodes: {
    columns:
      'round, position, simulator_hash, name, episodes, return_mean, return_std, length_mean, success_rate, visitation::text, positive_value_loss, value_mean, discounted_return_max, shortfall',
    key: 'round, position',
  },
  member_episodes: { columns: 'round, name, episodes, return_mean', key: 'round, name collate "C"' },
  sensitivities: {
    columns: 'kind, position, name, factor, episodes, return_mean, loss, is_cliff',
    key: 'kind collate "C", position',
  },
  metrics: { columns: 'round, name, value', key: 'round, name collate "C"' },
  evaluations: {
    columns:
      'round, checkpoint, panel, position, name, simulator_hash, reference_hash, weight, episodes, return_mean, return_std, length_mean, success_rate, visitation_divergence',
    key: 'round, checkpoint collate "C", panel collate "C", position',
  },
  episodes: {
    columns: 'round, checkpoint, panel, position, episode, return, length, success',
    key: 'round, checkpoint collate "C", panel collate "C", position, episode',
  },
  visitations: {
    columns: 'round, checkpoint, panel, position, feature, counts',
    key: 'round, checkpoint collate "C", panel collate "C", position, feature collate "C"',
  },
  checkpoint_scores: {
    columns:
      'round, checkpoint, train_return, validation_return, heldout_return, worst_heldout, cvar_heldout, heldout_std, collapse_gap, relative_gap, verdict, train_gain, heldout_gain, visitation_divergence, zero_variance_share, policy_entropy, dwelling, indifference',
    key: 'round, checkpoint collate "C"',
  },
};

/**
 * SHA-256 over the text of everything in an experiment's rows that is deterministic, run by run. Two experiments of equal
 * spec have equal digests, whatever happened to them on the way. Numbers count to the last bit, NaN included; a SKIPPED
 * run counts with the rows of the run it is equal to.
 */
export async function deterministicDigest(database: Database, experimentId: string): Promise<string> {
  const hash = createHash('sha256');
  const states = await database.query(
    'select variant, seed, state from runs where experiment_id = $1 order by variant collate "C", seed',
    [experimentId],
  );
  for (const { variant, seed, state } of states.rows) {
    // Whether an equal run was there already is an accident of time.
    hash.update(`${JSON.stringify([variant, seed, state === 'SKIPPED' ? 'SUCCEEDED' : state])}\n`);
  }
  for (const [table, { columns, key }] of Object.entries(SECTIONS)) {
    // Hashed inside the database, so that a million episodes need not travel.
    const { rows } = await database.query(
      `select r.variant, r.seed, encode(sha256(convert_to(string_agg(t.line, E'\\n' order by t.place), 'UTF8')), 'hex') as digest
         from runs r,
              lateral (select row(${columns})::text as line, row_number() over (order by ${key}) as place
                         from ${table} where run_id = coalesce(r.same_as, r.id)) t
        where r.experiment_id = $1
        group by r.variant, r.seed order by r.variant collate "C", r.seed`,
      [experimentId],
    );
    for (const { variant, seed, digest } of rows) {
      hash.update(`${JSON.stringify([table, variant, seed, digest])}\n`);
    }
  }
  return hash.digest('hex');
}
