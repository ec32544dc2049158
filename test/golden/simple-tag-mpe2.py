"""Prints what MPE2 does in 100 episodes of simple_tag, for test/golden/simple-tag-mpe2.json.gz.

    pip install mpe2==1.1.1
    python test/golden/simple-tag-mpe2.py | gzip -9n > test/golden/simple-tag-mpe2.json.gz

Every number is a double, printed so that it reads back to the same bits. An episode holds
  num_adversaries, num_good, agents and landmarks at the start (at rest), actions [step][seat],
  states [step] = [x, y, vx, vy] of every seat, rewards [step][seat],
  observations [step] = that of seat `step % N`, before MPE2 rounds it to single precision.
Four kinds of episodes take turns: usual or crowded start, random moves or moves with a purpose: adversaries go after the
first prey, and a prey goes to the first obstacle, or runs outwards in every third episode.
"""

import json
import sys
from importlib.metadata import version

import numpy as np
from mpe2.simple_tag.simple_tag import raw_env

STEPS = 25
# num_adversaries, num_good, num_obstacles
SIZES = (
    [(3, 1, 2)] * 36
    + [(1, 1, 1)] * 8
    + [(1, 1, 0)] * 8
    + [(2, 2, 3)] * 8
    + [(4, 2, 2)] * 8
    + [(6, 1, 6)] * 8
    + [(6, 4, 4)] * 8
    + [(2, 4, 0)] * 8
    + [(5, 3, 1)] * 8
)


def along(direction: np.ndarray) -> int:
    """The action that pushes along the axis on which a direction is longer."""
    axis = int(abs(direction[1]) > abs(direction[0]))
    return 1 + 2 * axis + int(direction[axis] > 0)


def purpose(agent, world, index: int) -> int:
    prey = next(other for other in world.agents if not other.adversary)
    if agent.adversary:
        return along(prey.state.p_pos - agent.state.p_pos)
    if index % 3 == 0 or not world.landmarks:
        return along(agent.state.p_pos)
    return along(world.landmarks[0].state.p_pos - agent.state.p_pos)


def episode(index: int, size: tuple[int, int, int]) -> dict:
    chance = np.random.default_rng(index)
    num_adversaries, num_good, num_obstacles = size
    crowded, greedy = index % 4 in (1, 2), index % 4 in (2, 3)
    env = raw_env(num_adversaries=num_adversaries, num_good=num_good, num_obstacles=num_obstacles, max_cycles=STEPS)
    env.reset(seed=index)
    world = env.world
    if crowded:
        for agent in world.agents:
            agent.state.p_pos = chance.uniform(-0.3, 0.3, 2)
    start = [agent.state.p_pos.tolist() for agent in world.agents]
    landmarks = [landmark.state.p_pos.tolist() for landmark in world.landmarks]
    actions, states, rewards, observations = [], [], [], []
    for step in range(STEPS):
        joint = [
            purpose(agent, world, index) if greedy and chance.uniform() < 0.8 else int(chance.integers(5))
            for agent in world.agents
        ]
        for action in joint:
            env.step(action)
        actions.append(joint)
        states.append([[*agent.state.p_pos.tolist(), *agent.state.p_vel.tolist()] for agent in world.agents])
        rewards.append([float(env.rewards[agent.name]) for agent in world.agents])
        seen = world.agents[step % len(world.agents)]
        observations.append(env.scenario.observation(seen, world).tolist())
    return {
        "num_adversaries": num_adversaries,
        "num_good": num_good,
        "agents": start,
        "landmarks": landmarks,
        "actions": actions,
        "states": states,
        "rewards": rewards,
        "observations": observations,
    }


json.dump(
    {
        "printed_by": "test/golden/simple-tag-mpe2.py",
        "versions": {"mpe2": version("mpe2"), "numpy": version("numpy"), "python": sys.version.split()[0]},
        "episodes": [episode(index, size) for index, size in enumerate(SIZES)],
    },
    sys.stdout,
    separators=(",", ":"),
)
