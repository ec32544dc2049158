"""IPPO with shared parameters: PPO of Stable-Baselines3 over SuperSuit over MPE2's simple_spread_v3, the usual recipe.

Its `seed` fails over SuperSuit 3.11, so the seed is set beforehand. Prints one line of JSON.
"""

import argparse
import os
import time

from measured import emit

parser = argparse.ArgumentParser()
parser.add_argument("--seconds", type=float, default=15)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--envs", type=int, default=256)
parser.add_argument("--horizon", type=int, default=25)
parser.add_argument("--minibatch", type=int, default=600)
parser.add_argument("--epochs", type=int, default=4)
options = parser.parse_args()

import mpe2
import stable_baselines3 as sb3
import supersuit
import torch
from mpe2 import simple_spread_v3
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import set_random_seed
from stable_baselines3.common.vec_env import VecMonitor


class Clock(BaseCallback):
    """Starts of iterations; the first one is not measured."""

    def __init__(self):
        super().__init__()
        self.starts = []

    def _on_rollout_start(self):
        self.starts.append(time.perf_counter())

    def _on_step(self):
        return len(self.starts) < 3 or self.starts[-1] - self.starts[1] <= options.seconds


def main():
    torch.set_num_threads(os.cpu_count())
    set_random_seed(options.seed)
    started = time.perf_counter()
    env = simple_spread_v3.parallel_env(N=3, local_ratio=0.5, max_cycles=25, continuous_actions=False)
    env = supersuit.pettingzoo_env_to_vec_env_v1(env)
    env = supersuit.concat_vec_envs_v1(env, options.envs, num_cpus=1, base_class="stable_baselines3")
    env = VecMonitor(env)
    assert env.num_envs == options.envs * 3
    model = PPO(
        "MlpPolicy",
        env,
        n_steps=options.horizon,
        batch_size=options.minibatch,
        n_epochs=options.epochs,
        learning_rate=3e-3,
        gamma=0.95,
        gae_lambda=0.9,
        clip_range=0.3,
        ent_coef=0.003,
        vf_coef=0.5,
        max_grad_norm=0.5,
        policy_kwargs=dict(net_arch=[64, 64], activation_fn=torch.nn.Tanh),
        device="cpu",
    )
    clock = Clock()
    model.learn(total_timesteps=10**9, callback=clock, progress_bar=False)
    per_iteration = options.envs * options.horizon
    iterations = len(clock.starts) - 2
    minibatches = -(-per_iteration * 3 // options.minibatch)
    emit(
        name="Stable-Baselines3 PPO over SuperSuit and MPE2",
        version=f"sb3 {sb3.__version__}, supersuit {supersuit.__version__}, mpe2 {mpe2.__version__}, torch {torch.__version__}",
        env_steps=iterations * per_iteration,
        wall_s=clock.starts[-1] - clock.starts[1],
        compile_s=clock.starts[1] - started,
        optimizer_steps=iterations * options.epochs * minibatches,
        return_mean=None,
    )


if __name__ == "__main__":
    main()
