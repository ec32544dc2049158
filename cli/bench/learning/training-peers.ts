import { z } from 'zod';
import { mapAtMost } from '../../at-most.ts';
import { findPeer, type Peer } from '../peer.ts';

/** What the scripts print that train IPPO on three-agent simple_spread. */
const figuresSchema = z.object({
  name: z.string(),
  version: z.string(),
  env_steps: z.number(),
  /** Of training; compiling and setting up are apart. */
  wall_s: z.number(),
  compile_s: z.number(),
  optimizer_steps: z.number(),
  /** Of the team in MPE2's scale, best actions; null where the script does not evaluate. */
  return_mean: z.number().nullable(),
  peak_rss_mib: z.number(),
});
export type PeerTraining = z.infer<typeof figuresSchema>;

export interface TrainingPeer extends Peer {
  /** How many of it train at the same time on this machine; each is told to keep to its share of the processors. */
  readonly atOnce: number;
}

const JAX = {
  script: 'jaxmarl-training.py',
  requirements: 'requirements-jax.txt',
  interpreter: 'jaxPeerPython',
} as const;
const TORCH = { requirements: 'requirements-torch.txt', interpreter: 'torchPeerPython' } as const;
/** One thread for each process. */
const SINGLE = {
  XLA_FLAGS: '--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1',
  OMP_NUM_THREADS: '1',
  NPROC: '1',
};

/** JaxMARL with the settings that learnt best here (docs/studies/learning.md has what was tried). */
const TUNED = ['--bootstrap', '1', '--identity', '1', '--value-scale', '10', '--clip', '0.2'];

/** The same network, and by default the same samples, epochs and minibatches as `experiments/learning.json`. */
export const TRAINING_PEERS: Readonly<Record<string, TrainingPeer>> = {
  jaxmarl: { ...JAX, args: TUNED, atOnce: 1 },
  'jaxmarl two at once': { ...JAX, args: TUNED, atOnce: 2, environment: SINGLE },
  'jaxmarl large minibatches': {
    ...JAX,
    args: ['--envs', '64', '--horizon', '128', '--minibatches', '6', '--gamma', '0.9'],
    atOnce: 1,
  },
  benchmarl: { ...TORCH, script: 'benchmarl-training.py', args: [], atOnce: 1 },
  'benchmarl large minibatches': {
    ...TORCH,
    script: 'benchmarl-training.py',
    args: ['--envs', '512', '--horizon', '16', '--minibatch', '1366'],
    atOnce: 1,
  },
  sb3: { ...TORCH, script: 'sb3-training.py', args: [], atOnce: 1 },
  'sb3 large minibatches': {
    ...TORCH,
    script: 'sb3-training.py',
    args: ['--envs', '64', '--horizon', '128', '--minibatch', '4096'],
    atOnce: 1,
  },
};

/**
 * Trains as often as there are lists of arguments, `atOnce` at the same time.
 * @returns what came of each; null where the peer cannot be run
 */
export async function trainPeer(
  peer: TrainingPeer,
  each: readonly (readonly string[])[],
): Promise<readonly PeerTraining[] | null> {
  const trained = await mapAtMost(peer.atOnce, each, (args) => findPeer(peer, args, figuresSchema));
  const found = trained.filter((figures) => figures !== null);
  return found.length < trained.length ? null : found;
}
