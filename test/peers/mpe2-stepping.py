"""Raw random stepping of an MPE2 environment, parallel API, one process. Usage: ENVIRONMENT REPETITIONS SECONDS. Prints one line of JSON."""

import importlib
import json
import sys
import time
from importlib.metadata import version

import numpy

name, repetitions, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
environment = importlib.import_module(f"mpe2.{name}").parallel_env(max_cycles=25, continuous_actions=False)
names = environment.possible_agents
counts = [environment.action_space(agent).n for agent in names]
actions = numpy.random.default_rng(0).integers(0, counts, size=(10_000, len(names))).tolist()


def steps_per_second() -> float:
    steps = 0
    environment.reset(seed=0)
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        environment.step(dict(zip(names, actions[steps % len(actions)])))
        steps += 1
        if not environment.agents:
            environment.reset()
    return steps / (time.perf_counter() - started)


steps_per_second()
figures = [steps_per_second() for _ in range(repetitions)]
print(json.dumps({"name": f"mpe2 {name}", "version": version("mpe2"), "env_steps_per_s": figures}))
