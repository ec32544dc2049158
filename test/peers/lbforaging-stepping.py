"""Raw random stepping of a level-based foraging environment, one process. Usage: ENVIRONMENT REPETITIONS SECONDS. Prints one line of JSON."""

import json
import sys
import time
import warnings
from importlib.metadata import version

import gymnasium
import lbforaging  # noqa: F401  registers the environments
import numpy

warnings.filterwarnings("ignore")
name, repetitions, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
environment = gymnasium.make(name, disable_env_checker=True).unwrapped
actions = numpy.random.default_rng(0).integers(0, 6, size=(10_000, environment.n_agents)).tolist()


def steps_per_second() -> float:
    steps = 0
    environment.reset(seed=0)
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        _, _, done, truncated, _ = environment.step(actions[steps % len(actions)])
        steps += 1
        if done or truncated:
            environment.reset()
    return steps / (time.perf_counter() - started)


steps_per_second()
figures = [steps_per_second() for _ in range(repetitions)]
print(json.dumps({"name": f"lbforaging {name}", "version": version("lbforaging"), "env_steps_per_s": figures}))
