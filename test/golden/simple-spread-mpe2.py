"""Prints what MPE2 does in 100 episodes of simple_spread, for test/golden/simple-spread-mpe2.json.gz.

    pip install mpe2==1.1.1
    python test/golden/simple-spread-mpe2.py | gzip -9n > test/golden/simple-spread-mpe2.json.gz

Every number is a double, printed so that it reads back to the same bits. An episode holds
  local_ratio, agents and landmarks at the start (at rest), actions [step][seat],
  states [step] = [x, y, vx, vy] of every seat, rewards [step][seat],
  observations [step] = that of seat `step % N`, before MPE2 rounds it to single precision.
Four kinds of episodes take turns: usual or crowded start, random moves or moves towards the first landmark.
"""

import json
import sys
from importlib.metadata import version

import numpy as np
from mpe2.simple_spread.simple_spread import raw_env

STEPS = 25
SIZES = [2] * 20 + [3] * 40 + [4] * 8 + [5] * 8 + [6] * 8 + [7] * 8 + [8] * 8
LOCAL_RATIOS = [0.5, 0.5, 0.25, 0.0, 1.0, 0.3]


def towards(target: np.ndarray, agent) -> int:
    """The action that pushes along the axis on which the target is farther."""
    miss = target - agent.state.p_pos
    axis = int(abs(miss[1]) > abs(miss[0]))
    return 1 + 2 * axis + int(miss[axis] > 0)


def episode(index: int, size: int) -> dict:
    chance = np.random.default_rng(index)
    local_ratio = LOCAL_RATIOS[index % len(LOCAL_RATIOS)]
    crowded, greedy = index % 4 in (1, 2), index % 4 in (2, 3)
    env = raw_env(N=size, local_ratio=local_ratio, max_cycles=STEPS)
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
            towards(world.landmarks[0].state.p_pos, agent) if greedy and chance.uniform() < 0.8 else int(chance.integers(5))
            for agent in world.agents
        ]
        for action in joint:
            env.step(action)
        actions.append(joint)
        states.append([[*agent.state.p_pos.tolist(), *agent.state.p_vel.tolist()] for agent in world.agents])
        rewards.append([float(env.rewards[agent.name]) for agent in world.agents])
        observations.append(env.scenario.observation(world.agents[step % size], world).tolist())
    return {
        "local_ratio": local_ratio,
        "agents": start,
        "landmarks": landmarks,
        "actions": actions,
        "states": states,
        "rewards": rewards,
        "observations": observations,
    }


json.dump(
    {
        "printed_by": "test/golden/simple-spread-mpe2.py",
        "versions": {"mpe2": version("mpe2"), "numpy": version("numpy"), "python": sys.version.split()[0]},
        "episodes": [episode(index, size) for index, size in enumerate(SIZES)],
    },
    sys.stdout,
    separators=(",", ":"),
)
