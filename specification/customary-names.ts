import type { Path } from './path.ts';

/**
 * What others call a key, and where it stands here. Of several places that of the algorithm at hand is meant. Sources:
 * Stable-Baselines3, RLlib, CleanRL, EPyMARL, BenchMARL.
 */
const CUSTOMARY: Readonly<Record<string, readonly string[]>> = {
  alpha: ['algorithm.learning_rate'],
  batch_size: ['algorithm.minibatch_size'],
  buffer_size: ['algorithm.replay.capacity'],
  clip_eps: ['algorithm.clip'],
  clip_param: ['algorithm.clip'],
  clip_range: ['algorithm.clip'],
  clip_range_vf: ['algorithm.value_clip'],
  device: ['execution.device'],
  discount: ['algorithm.gamma'],
  ent_coef: ['algorithm.entropy_coefficient'],
  entropy_coef: ['algorithm.entropy_coefficient'],
  entropy_coeff: ['algorithm.entropy_coefficient'],
  eps_clip: ['algorithm.clip'],
  gae_lambda: ['algorithm.lambda'],
  grad_clip: ['algorithm.gradient_clip'],
  lr: ['algorithm.learning_rate'],
  max_grad_norm: ['algorithm.gradient_clip'],
  memory_size: ['algorithm.replay.capacity'],
  n_envs: ['algorithm.parallel_environments'],
  n_epochs: ['algorithm.epochs'],
  n_steps: ['algorithm.n_step', 'algorithm.rollout_steps'],
  net_arch: ['algorithm.hidden_sizes'],
  num_envs: ['algorithm.parallel_environments'],
  num_steps: ['algorithm.rollout_steps'],
  num_workers: ['execution.sampler_processes'],
  seed: ['seeds'],
  tau: ['algorithm.target_tau'],
  target_update_freq: ['algorithm.target_update_interval'],
  timesteps: ['budget.env_steps'],
  total_timesteps: ['budget.env_steps'],
  train_timesteps: ['budget.env_steps'],
  update_epochs: ['algorithm.epochs'],
  use_rnn: ['algorithm.recurrent'],
  vf_coef: ['algorithm.value_coefficient'],
};

/** Where a key that is customary elsewhere belongs. */
interface CustomaryPlace {
  /** The key of the same object that it is; undefined when it belongs elsewhere. */
  readonly renamed?: string;
  /** The whole path, when it belongs elsewhere. */
  readonly moved?: string;
}

/**
 * @param path of the object that a key stands in @param known keys that this object may have
 * @returns null for a key that is no custom, and where the algorithm has nothing of the kind
 */
export function customaryPlace(path: Path, key: string, known: readonly string[]): CustomaryPlace | null {
  const object = path.join('.');
  const isHere = (place: string): boolean => {
    const inside = object === '' ? place : place.startsWith(`${object}.`) ? place.slice(object.length + 1) : null;
    return inside === null || known.includes(inside.split('.')[0]!);
  };
  const place = Object.hasOwn(CUSTOMARY, key) ? CUSTOMARY[key]!.find(isHere) : undefined;
  if (place === undefined) return null;
  const leaf = place.split('.').at(-1)!;
  return place === [...path, leaf].join('.') ? { renamed: leaf } : { moved: place };
}
