"""PPO of Stable-Baselines3 on simple_spread of MPE2, and its policy as ONNX. Nothing of Thaw is in it.

Every agent of every environment is one environment of a VecEnv, so that they share a policy.

    pip install stable-baselines3==2.9.2 onnx==1.23.2 onnxscript==0.7.2 mpe2==1.1.1 pettingzoo==1.27.0
    python sb3.py policy.onnx
"""

import sys

import numpy
import torch
from mpe2 import simple_spread_v3
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv

EPISODE_STEPS, ENVIRONMENTS, ENV_STEPS = 25, 32, 152_000


class SpreadVecEnv(VecEnv):
    """Environments of one length, which end together."""

    def __init__(self, seed):
        self.worlds = [simple_spread_v3.parallel_env(max_cycles=EPISODE_STEPS) for _ in range(ENVIRONMENTS)]
        self.seeds = iter(range(seed * 10**6, (seed + 1) * 10**6))
        self.names = self.worlds[0].possible_agents
        first = self.names[0]
        spaces = self.worlds[0].observation_space(first), self.worlds[0].action_space(first)
        super().__init__(ENVIRONMENTS * len(self.names), *spaces)

    def rows(self, told):
        return numpy.array([each[name] for each in told for name in self.names], numpy.float32)

    def reset(self):
        return self.rows([world.reset(seed=next(self.seeds))[0] for world in self.worlds])

    def step_async(self, actions):
        self.chosen = actions.reshape(ENVIRONMENTS, -1).tolist()

    def step_wait(self):
        told = [world.step(dict(zip(self.names, row))) for world, row in zip(self.worlds, self.chosen)]
        seen, rewards = self.rows([each[0] for each in told]), self.rows([each[1] for each in told])
        infos = [{} for _ in seen]
        is_over = not self.worlds[0].agents
        if is_over:
            infos = [{"terminal_observation": row, "TimeLimit.truncated": True} for row in seen]
            seen = self.reset()
        # Rewards of about 1: the critic of SB3 has no scale of its own.
        return seen, rewards / 10, numpy.full(len(seen), is_over), infos

    def close(self):
        pass

    def get_attr(self, name, indices=None):
        return [getattr(self, name, None)] * self.num_envs

    def set_attr(self, name, value, indices=None):
        raise NotImplementedError

    def env_method(self, name, *args, indices=None, **more):
        raise NotImplementedError

    def env_is_wrapped(self, wrapper, indices=None):
        return [False] * self.num_envs


class Exported(torch.nn.Module):
    """Observations to logits, with all that the policy does in between."""

    def __init__(self, policy):
        super().__init__()
        self.policy = policy

    def forward(self, observation):
        return self.policy.get_distribution(observation).distribution.logits


def main(file, seed=1):
    torch.set_num_threads(1)
    env = SpreadVecEnv(seed)
    model = PPO(
        "MlpPolicy", env, n_steps=EPISODE_STEPS, batch_size=600, n_epochs=4, gamma=0.95, gae_lambda=0.9, ent_coef=0.003,
        learning_rate=lambda left: 3e-3 * left, seed=seed, device="cpu",
    )  # fmt: skip
    model.learn(ENV_STEPS * len(env.names))
    # What distributions check of their arguments has no form in ONNX.
    torch.distributions.Distribution.set_default_validate_args(False)
    torch.onnx.export(
        Exported(model.policy.eval()), (torch.zeros(2, *model.observation_space.shape),), file,
        input_names=["obs"], output_names=["logits"],
        dynamic_shapes=({0: torch.export.Dim("rows")},), dynamo=True, external_data=False,
    )  # fmt: skip


main(sys.argv[1])
