"""PPO in PyTorch on simple_spread of MPE2, one network for the three agents, and its actor as ONNX. Nothing of Thaw is in it.

    pip install torch==2.15.0 onnx==1.23.2 onnxscript==0.7.2 mpe2==1.1.1 pettingzoo==1.27.0
    python pytorch.py policy.onnx
"""

import sys

import numpy
import torch
from mpe2 import simple_spread_v3
from torch import nn

AGENTS, EPISODE_STEPS, ENVIRONMENTS, BLOCKS = 3, 25, 32, 190  # 152 000 env steps
GAMMA, LAMBDA, CLIP, ENTROPY, LEARNING_RATE, EPOCHS, MINIBATCH = 0.95, 0.9, 0.2, 0.003, 3e-3, 4, 600


class Worlds:
    """Environments side by side, whose arrays are [B, N, ...]."""

    def __init__(self, seed):
        self.worlds = [simple_spread_v3.parallel_env(N=AGENTS, max_cycles=EPISODE_STEPS) for _ in range(ENVIRONMENTS)]
        self.seeds = iter(range(seed * 10**6, (seed + 1) * 10**6))
        self.names = self.worlds[0].possible_agents

    def reset(self):
        return self.array([world.reset(seed=next(self.seeds))[0] for world in self.worlds])

    def step(self, actions):
        told = [world.step(dict(zip(self.names, row))) for world, row in zip(self.worlds, actions.tolist())]
        return self.array([each[0] for each in told]), self.array([each[1] for each in told])

    def array(self, told):
        return torch.tensor(numpy.array([[each[name] for name in self.names] for each in told]), dtype=torch.float32)


class Actor(nn.Module):
    """Observations to logits. What is done to observations is part of it, so that it is exported, too."""

    def __init__(self, mean, std, actions):
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("std", std)
        self.net = mlp(len(mean), actions)

    def forward(self, observations):
        return self.net((observations - self.mean) / self.std)


def mlp(inputs, outputs):
    return nn.Sequential(nn.Linear(inputs, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, outputs))


def play(worlds, actor, critic):
    """An episode of every environment. @returns rows of all agents, and the mean return of a team"""
    seen, kept = worlds.reset(), []
    with torch.no_grad():
        for _ in range(EPISODE_STEPS):
            choice = torch.distributions.Categorical(logits=actor(seen))
            action = choice.sample()
            following, rewards = worlds.step(action)
            kept.append((seen, action, choice.log_prob(action), rewards, critic(seen)[..., 0]))
            seen = following
        # All end by time, so what comes after the last step is worth what the critic says.
        after = critic(seen)[..., 0]
        observed, actions, before, rewards, values = (torch.stack(part) for part in zip(*kept))
        advantages, gained = torch.zeros_like(values), torch.zeros_like(after)
        for step in reversed(range(EPISODE_STEPS)):
            surprise = rewards[step] / 10 + GAMMA * (values[step + 1] if step + 1 < EPISODE_STEPS else after) - values[step]
            gained = surprise + GAMMA * LAMBDA * gained
            advantages[step] = gained
    parts = observed, actions, before, advantages, advantages + values
    return [part.flatten(0, 2) for part in parts], rewards.sum((0, 2)).mean().item()


def improve(rows, actor, critic, optimizer):
    for _ in range(EPOCHS):
        for chosen in torch.randperm(len(rows[0])).split(MINIBATCH):
            seen, action, before, advantage, target = (part[chosen] for part in rows)
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            choice = torch.distributions.Categorical(logits=actor(seen))
            ratio = (choice.log_prob(action) - before).exp()
            gain = torch.minimum(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage).mean()
            loss = 0.5 * (critic(seen)[:, 0] - target).square().mean() - gain - ENTROPY * choice.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_([*actor.parameters(), *critic.parameters()], 0.5)
            optimizer.step()


def main(file, seed=1):
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    worlds = Worlds(seed)
    seen = torch.cat([worlds.reset(), worlds.reset()]).flatten(0, 1)
    actor, critic = Actor(seen.mean(0), seen.std(0) + 0.1, 5), mlp(seen.shape[1], 1)
    optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], LEARNING_RATE)
    annealing = torch.optim.lr_scheduler.LinearLR(optimizer, 1, 0.01, BLOCKS)
    for block in range(BLOCKS):
        rows, team = play(worlds, actor, critic)
        improve(rows, actor, critic, optimizer)
        annealing.step()
        if block % 10 == 9:
            print(f"{(block + 1) * ENVIRONMENTS * EPISODE_STEPS} env steps: return of a team {team:.1f}", flush=True)
    torch.onnx.export(
        actor.eval(), (torch.zeros(2, seen.shape[1]),), file,
        input_names=["obs"], output_names=["logits"],
        dynamic_shapes=({0: torch.export.Dim("rows")},), dynamo=True, external_data=False,
    )  # fmt: skip


main(sys.argv[1])
