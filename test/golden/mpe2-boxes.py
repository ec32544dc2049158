"""Prints what MPE2 does with `continuous_actions`, for test/golden/mpe2-boxes.json.gz.

    pip install mpe2==1.1.1
    python test/golden/mpe2-boxes.py | gzip -9n > test/golden/mpe2-boxes.json.gz

Every number is a double, printed so that it reads back to the same bits. 30 episodes of each family; one holds
  family, options (N; or num_adversaries, num_good, num_obstacles), agents and landmarks at the start (at rest),
  actions [step][seat] = five numbers, single ones as MPE2's boxes hold them,
  states [step] = [x, y, vx, vy] of every seat, rewards [step][seat].
Three kinds of episodes take turns: usual or crowded start, anything or pushes towards the first landmark; in all of them
some numbers are exactly 0 or 1.
"""

import json
import sys
from importlib.metadata import version

import numpy as np
from mpe2.simple_spread.simple_spread import raw_env as spread_env
from mpe2.simple_tag.simple_tag import raw_env as tag_env

STEPS = 25
SPREAD = [{"N": size} for size in [2, 3, 3, 4, 5, 8]]
TAG = [
    {"num_adversaries": adversaries, "num_good": good, "num_obstacles": obstacles}
    for adversaries, good, obstacles in [(3, 1, 2), (3, 1, 2), (1, 1, 0), (2, 2, 3), (4, 2, 6)]
]


def towards(target: np.ndarray, agent) -> np.ndarray:
    """Pushes along both axes, the harder the farther the target is."""
    x, y = np.clip(target - agent.state.p_pos, -1, 1)
    return np.array([0, max(-x, 0), max(x, 0), max(-y, 0), max(y, 0)], dtype=np.float32)


def anything(chance: np.random.Generator) -> np.ndarray:
    action = chance.uniform(0, 1, 5).astype(np.float32)
    action[chance.uniform(size=5) < 0.1] = 0
    action[chance.uniform(size=5) < 0.1] = 1
    return action


def episode(index: int, family: str, options: dict) -> dict:
    chance = np.random.default_rng(index)
    crowded, greedy = index % 3 == 1, index % 3 > 0
    make = spread_env if family == "simple_spread" else tag_env
    env = make(**options, max_cycles=STEPS, continuous_actions=True)
    env.reset(seed=index)
    world = env.world
    if crowded:
        for agent in world.agents:
            agent.state.p_pos = chance.uniform(-0.3, 0.3, 2)
    start = [agent.state.p_pos.tolist() for agent in world.agents]
    landmarks = [landmark.state.p_pos.tolist() for landmark in world.landmarks]
    actions, states, rewards = [], [], []
    for _ in range(STEPS):
        joint = [
            towards(world.landmarks[0].state.p_pos, agent)
            if greedy and world.landmarks and chance.uniform() < 0.7
            else anything(chance)
            for agent in world.agents
        ]
        for action in joint:
            env.step(action)
        actions.append([action.tolist() for action in joint])
        states.append([[*agent.state.p_pos.tolist(), *agent.state.p_vel.tolist()] for agent in world.agents])
        rewards.append([float(env.rewards[agent.name]) for agent in world.agents])
    return {
        "family": family,
        "options": options,
        "agents": start,
        "landmarks": landmarks,
        "actions": actions,
        "states": states,
        "rewards": rewards,
    }


json.dump(
    {
        "printed_by": "test/golden/mpe2-boxes.py",
        "versions": {"mpe2": version("mpe2"), "numpy": version("numpy"), "python": sys.version.split()[0]},
        "episodes": [
            episode(index, family, every[index % len(every)])
            for family, every in [("simple_spread", SPREAD), ("simple_tag", TAG)]
            for index in range(30)
        ],
    },
    sys.stdout,
    separators=(",", ":"),
)
