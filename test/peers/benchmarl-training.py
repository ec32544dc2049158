"""IPPO with shared parameters: BenchMARL on VMAS simple_spread, three agents, discrete actions, 25 steps.

VMAS is another game: 9 actions, every agent gets 3 * G + C with a force of 1 where MPE2 has 5. In MPE2's scale the return of
the team is half of an agent's; it is of the training's own episodes and not compared with ours. Prints one line of JSON.
"""

import argparse
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("--seconds", type=float, default=15)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--envs", type=int, default=256)
parser.add_argument("--horizon", type=int, default=25)
parser.add_argument("--minibatch", type=int, default=200, help="joint samples: three agents each")
parser.add_argument("--epochs", type=int, default=4)
options = parser.parse_args()

import os

import benchmarl
import torch
import torchrl
import vmas  # noqa: F401  registers the scenarios
from benchmarl.algorithms import IppoConfig
from benchmarl.environments import VmasTask
from benchmarl.experiment import Callback, Experiment, ExperimentConfig
from benchmarl.models.mlp import MlpConfig

from measured import emit

torch.set_num_threads(os.cpu_count())
per_iteration = options.envs * options.horizon
started = time.perf_counter()
config = ExperimentConfig.get_from_yaml()
config.share_policy_params = True
config.prefer_continuous_actions = False
config.loggers = []
config.create_json = False
config.evaluation = False
config.render = False
config.gamma = 0.95
config.lr = 3e-3
config.clip_grad_norm = True
config.clip_grad_val = 0.5
config.on_policy_collected_frames_per_batch = per_iteration
config.on_policy_n_envs_per_worker = options.envs
config.on_policy_n_minibatch_iters = options.epochs
config.on_policy_minibatch_size = options.minibatch
config.max_n_frames = None
config.max_n_iters = 10**6
config.save_folder = tempfile.mkdtemp(prefix="benchmarl-")
algorithm = IppoConfig.get_from_yaml()
algorithm.entropy_coef = 0.003
algorithm.critic_coef = 0.5
algorithm.lmbda = 0.9
algorithm.clip_epsilon = 0.3
actor, critic = MlpConfig.get_from_yaml(), MlpConfig.get_from_yaml()
for model in (actor, critic):
    model.num_cells = [64, 64]
    model.activation_class = torch.nn.Tanh
task = VmasTask.SIMPLE_SPREAD.get_from_yaml()
task.config["max_steps"] = 25


class Clock(Callback):
    """Ends of iterations; the first one is not measured."""

    def __init__(self):
        super().__init__()
        self.ends = []

    def on_train_end(self, training_td, group):
        self.ends.append(time.perf_counter())
        if len(self.ends) > 1 and self.ends[-1] - self.ends[0] > options.seconds:
            raise StopIteration


clock = Clock()
experiment = Experiment(
    task=task,
    algorithm_config=algorithm,
    model_config=actor,
    critic_model_config=critic,
    seed=options.seed,
    config=config,
    callbacks=[clock],
)
try:
    experiment.run()
except BaseException as error:
    if "StopIteration" not in repr(error):
        raise
iterations = len(clock.ends) - 1
minibatches = -(-per_iteration // options.minibatch)
emit(
    name="BenchMARL, IPPO on VMAS",
    version=f"benchmarl {benchmarl.__version__}, torchrl {torchrl.__version__}, vmas 1.5.2, torch {torch.__version__}",
    env_steps=iterations * per_iteration,
    wall_s=clock.ends[-1] - clock.ends[0],
    compile_s=clock.ends[0] - started,
    optimizer_steps=iterations * options.epochs * minibatches,
    return_mean=None,
)
