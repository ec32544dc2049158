"""Prints what the package lbforaging does in 156 episodes, for test/golden/foraging-lbforaging.json.gz.

    pip install lbforaging==2.0.0
    python test/golden/foraging-lbforaging.py | gzip -9n > test/golden/foraging-lbforaging.json.gz

Starts are drawn by the package itself. An episode holds
  size, sight, steps, penalty, normalize, players [seat] = [row, column, level], food = [row, column, level] in reading
  order, actions [step][seat], and of the start (index 0) and after each step:
  cells [step][seat] = [row, column], left [step] = levels of the food in the order of `food`, 0 when eaten,
  observations [step][seat], legal [step][seat] = the actions the package calls valid, as a number with bit a for action a,
  heuristics [step][seat] = what the package's agents H1 … H4 do now, -1 where they act at random,
  and of each step: rewards [step][seat], over [step].
"""

import json
import sys
import types
from importlib import util
from importlib.metadata import version
from pathlib import Path

import lbforaging
import numpy as np
from lbforaging.foraging import environment

ROOMS = [
    *[(5, 2, 1), (5, 4, 2), (5, 6, 1), (6, 5, 2), (6, 8, 2), (8, 2, 2), (8, 2, 2)],
    *[(8, 3, 3), (8, 4, 4), (10, 3, 5), (10, 6, 4), (12, 5, 6), (15, 4, 8)],
]
"""Rows (and columns), players, items of food."""
HEURISTIC_NAMES = ("H1", "H2", "H3", "H4")


def heuristic_agents():
    """The module of H1 … H4 alone: its package imports much that they do not need, and one module by a wrong name."""
    folder = Path(lbforaging.__file__).parent / "agents"
    package = types.ModuleType("lbforaging.agents")
    package.__path__ = [str(folder)]
    sys.modules["lbforaging.agents"] = package
    sys.modules["foraging"] = types.ModuleType("foraging")
    sys.modules["foraging.environment"] = environment
    spec = util.spec_from_file_location("lbforaging.agents.heuristic_agent", folder / "heuristic_agent.py")
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.random = types.SimpleNamespace(choice=lambda actions: None)
    return [getattr(module, name) for name in HEURISTIC_NAMES]


HEURISTICS = heuristic_agents()


def choices(env, player):
    obs = env._make_obs(player)
    acts = [agent(player)._step(obs) for agent in HEURISTICS]
    return [-1 if act is None else act.value for act in acts]


def legal(env, player):
    return sum(1 << action.value for action in env._valid_actions[player])


def episode(index: int, size: int, players: int, food: int) -> dict:
    chance = np.random.default_rng(index)
    coop, partial = index % 3 == 1, index % 2 == 1
    sight = [1, 2, 3, 4][index // 2 % 4] if partial else size
    penalty = 0.1 if index % 5 == 3 else 0.0
    normalize = index % 7 != 6
    steps = 50 if index % 4 else 25
    env = environment.ForagingEnv(
        players=players,
        min_player_level=1,
        max_player_level=3 if index % 4 == 2 else 2,
        min_food_level=1,
        max_food_level=2 if index % 6 == 5 else None,
        field_size=(size, size),
        max_num_food=food,
        sight=sight,
        max_episode_steps=steps,
        force_coop=coop,
        normalize_reward=normalize,
        penalty=penalty,
    )
    observations, _ = env.reset(seed=index)
    items = [(int(row), int(column)) for row, column in zip(*np.nonzero(env.field))]

    def look(observations):
        return {
            "cells": [[int(part) for part in player.position] for player in env.players],
            "left": [int(env.field[item]) for item in items],
            "observations": [[int(number) for number in one] for one in observations],
            "legal": [legal(env, player) for player in env.players],
            "heuristics": [choices(env, player) for player in env.players],
        }

    seen = [look(observations)]
    start = [[*cell, int(player.level)] for cell, player in zip(seen[0]["cells"], env.players)]
    actions, rewards, over = [], [], []
    done = False
    while not done:
        joint = []
        for seat in range(players):
            wanted = seen[-1]["heuristics"][seat][(index + seat) % 4 if index % 8 < 4 else 1]
            joint.append(wanted if wanted >= 0 and chance.uniform() < 0.75 else int(chance.integers(6)))
        observations, reward, done, _, _ = env.step(joint)
        actions.append(joint)
        rewards.append([float(one) for one in reward])
        over.append(bool(done))
        seen.append(look(observations))
    return {
        "size": size,
        "sight": sight,
        "steps": steps,
        "penalty": penalty,
        "normalize": normalize,
        "food_count": food,
        "players": start,
        "food": [[*item, level] for item, level in zip(items, seen[0]["left"])],
        "actions": actions,
        "rewards": rewards,
        "over": over,
        **{name: [moment[name] for moment in seen] for name in seen[0]},
    }


json.dump(
    {
        "printed_by": "test/golden/foraging-lbforaging.py",
        "versions": {
            "lbforaging": version("lbforaging"),
            "numpy": version("numpy"),
            "python": sys.version.split()[0],
        },
        "episodes": [episode(index, *ROOMS[index % len(ROOMS)]) for index in range(12 * len(ROOMS))],
    },
    sys.stdout,
    separators=(",", ":"),
)
