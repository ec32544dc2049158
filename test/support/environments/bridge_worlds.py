"""Small environments, each with one thing in it that a bridge has to cope with."""

import os
import time

import gymnasium
import numpy
from gymnasium import spaces
from pettingzoo import ParallelEnv


class Line(gymnasium.Env):
    """A walk on a line: a step of `stride` per action, a reward for going right; over beyond `goal`."""

    observation_space = spaces.Box(-100, 100, (2,), numpy.float32)
    action_space = spaces.Discrete(3, start=-1)

    def __init__(self, goal=4, tongue="plain", stop_after=50):
        self.goal, self.tongue, self.stop_after = goal, tongue, stop_after
        self.stride = 1.0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place, self.steps = float(self.np_random.uniform(-1, 1)), 0
        return self.look(), {}

    def look(self):
        return numpy.array([self.place, len(self.tongue)], numpy.float32)

    def step(self, action):
        self.place += self.stride * int(action) + float(self.np_random.normal()) / 10
        self.steps += 1
        return self.look(), float(action), self.place > self.goal, self.steps >= self.stop_after, {}


class Pushed(Line):
    """The same, moved by a box of two numbers."""

    action_space = spaces.Box(numpy.array([-1, 0], numpy.float32), numpy.array([1, 2], numpy.float32))

    def step(self, action):
        assert self.action_space.contains(action), action
        return super().step(action[0] * action[1])


class Leaving(ParallelEnv):
    """Three walkers of two kinds; each leaves when its number of steps is over, and may never do its own number twice."""

    metadata = {"name": "leaving"}

    def __init__(self, masks=True):
        self.possible_agents = ["walker_0", "walker_1", "guide_0"]
        self.masks = masks

    def observation_space(self, agent):
        return spaces.Box(-10, 10, (3 if agent.startswith("walker") else 1,), numpy.float64)

    def action_space(self, agent):
        return spaces.Discrete(4 if agent.startswith("walker") else 2)

    def reset(self, seed=None, options=None):
        self.random = numpy.random.default_rng(seed)
        self.agents, self.steps, self.last = self.possible_agents[:], 0, {}
        return {agent: self.look(agent) for agent in self.agents}, {agent: self.info(agent) for agent in self.agents}

    def look(self, agent):
        return self.random.normal(size=self.observation_space(agent).shape).clip(-10, 10)

    def info(self, agent):
        mask = numpy.ones(self.action_space(agent).n, numpy.int8)
        if agent in self.last:
            mask[self.last[agent]] = 0
        return {"action_mask": mask} if self.masks else {}

    def step(self, actions):
        assert set(actions) == set(self.agents), actions
        for agent, action in actions.items():
            assert not self.masks or action != self.last.get(agent), (agent, action)
        self.last = dict(actions)
        self.steps += 1
        ended = {agent: self.steps >= 3 + 2 * self.possible_agents.index(agent) for agent in self.agents}
        told = (
            {agent: self.look(agent) for agent in self.agents},
            {agent: float(self.steps) for agent in self.agents},
            ended,
            {agent: False for agent in self.agents},
            {agent: self.info(agent) for agent in self.agents},
        )
        self.agents = [agent for agent in self.agents if not ended[agent]]
        return told


class Forgetful(Line):
    """Its chance does not come from its seed."""

    def step(self, action):
        return super().step(action + numpy.random.default_rng().normal())


class Painted(Line):
    observation_space = spaces.Box(0, 255, (8, 8, 3), numpy.uint8)


class Nested(Line):
    observation_space = spaces.Dict({"kind": spaces.Discrete(3), "place": spaces.Box(-100, 100, (1,))})

    def look(self):
        return {"kind": 2, "place": numpy.array([self.place], numpy.float32)}


class Broken(Line):
    """Fails in the way named by `tongue`, in the third step of an episode of the seed `on`."""

    def __init__(self, on=0, tongue="raise"):
        super().__init__(tongue=tongue)
        self.on = on

    def reset(self, *, seed=None, options=None):
        self.is_due = seed == self.on
        return super().reset(seed=seed)

    def step(self, action):
        told = super().step(action)
        if not self.is_due or self.steps < 3:
            return told
        if self.tongue == "raise":
            raise ArithmeticError("the third step is too much")
        if self.tongue == "hang":
            time.sleep(1000)
        if self.tongue == "exit":
            print("I am leaving", flush=True)
            os._exit(7)
        if self.tongue == "memory":
            raise MemoryError("no room")
        if self.tongue == "segfault":
            os.kill(os.getpid(), 11)
        if self.tongue == "nan":
            return (told[0] * numpy.nan, *told[1:])
        return (numpy.zeros(5, numpy.float32), *told[1:])
