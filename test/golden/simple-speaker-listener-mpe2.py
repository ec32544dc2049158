"""Prints what MPE2 does in 100 episodes of simple_speaker_listener, for test/golden/simple-speaker-listener-mpe2.json.gz.

    pip install mpe2==1.1.1
    python test/golden/simple-speaker-listener-mpe2.py | gzip -9n > test/golden/simple-speaker-listener-mpe2.json.gz

Every number is a double, printed so that it reads back to the same bits. An episode holds
  goal (index of the landmark), agents and landmarks at the start (at rest), actions [step] = [word, move],
  states [step] = [x, y, vx, vy] of the speaker and the listener, rewards [step][seat],
  observations [step] = [that of the speaker, that of the listener], before MPE2 rounds them to single precision;
  the first one is that of the start, so there is one more than there are steps.
Four kinds of episodes take turns: usual or crowded start, random words and moves, or words and moves with a purpose: the
speaker says the index of the goal, and the listener pushes towards it.
"""

import json
import sys
from importlib.metadata import version

import numpy as np
from mpe2.simple_speaker_listener.simple_speaker_listener import raw_env

STEPS = 25


def along(direction: np.ndarray) -> int:
    """The action that pushes along the axis on which a direction is longer."""
    axis = int(abs(direction[1]) > abs(direction[0]))
    return 1 + 2 * axis + int(direction[axis] > 0)


def episode(index: int) -> dict:
    chance = np.random.default_rng(index)
    crowded, purposeful = index % 4 in (1, 2), index % 4 in (2, 3)
    env = raw_env(max_cycles=STEPS)
    env.reset(seed=index)
    world = env.world
    if crowded:
        for agent in world.agents:
            agent.state.p_pos = chance.uniform(-0.3, 0.3, 2)
    goal = world.landmarks.index(world.agents[0].goal_b)
    start = [agent.state.p_pos.tolist() for agent in world.agents]
    landmarks = [landmark.state.p_pos.tolist() for landmark in world.landmarks]

    def seen() -> list:
        return [env.scenario.observation(agent, world).tolist() for agent in world.agents]

    actions, states, rewards, observations = [], [], [], [seen()]
    for _ in range(STEPS):
        towards = world.landmarks[goal].state.p_pos - world.agents[1].state.p_pos
        word = goal if purposeful and chance.uniform() < 0.8 else int(chance.integers(3))
        move = along(towards) if purposeful and chance.uniform() < 0.8 else int(chance.integers(5))
        for action in (word, move):
            env.step(action)
        actions.append([word, move])
        states.append([[*agent.state.p_pos.tolist(), *agent.state.p_vel.tolist()] for agent in world.agents])
        rewards.append([float(env.rewards[agent.name]) for agent in world.agents])
        observations.append(seen())
    return {
        "goal": goal,
        "agents": start,
        "landmarks": landmarks,
        "actions": actions,
        "states": states,
        "rewards": rewards,
        "observations": observations,
    }


json.dump(
    {
        "printed_by": "test/golden/simple-speaker-listener-mpe2.py",
        "versions": {"mpe2": version("mpe2"), "numpy": version("numpy"), "python": sys.version.split()[0]},
        "episodes": [episode(index) for index in range(100)],
    },
    sys.stdout,
    separators=(",", ":"),
)
