"""Random stepping of 64 environments of MPE2 in one plain loop. Usage: ENVIRONMENT COUNT REPETITIONS SECONDS. Prints one line of JSON."""

import importlib
import json
import sys
import time
from importlib.metadata import version

import numpy

name, count, repetitions, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
module = importlib.import_module(f"mpe2.{name}")
environments = [module.parallel_env() for _ in range(count)]
names = environments[0].possible_agents
actions = numpy.random.default_rng(0).integers(0, 5, size=(1_000, count, len(names))).tolist()


def steps_per_second() -> float:
    for seed, environment in enumerate(environments):
        environment.reset(seed=seed)
    steps = 0
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        for environment, joint in zip(environments, actions[steps % len(actions)]):
            environment.step(dict(zip(names, joint)))
            if not environment.agents:
                environment.reset(seed=steps)
        steps += 1
    return steps * count / (time.perf_counter() - started)


steps_per_second()
figures = [steps_per_second() for _ in range(repetitions)]
print(json.dumps({"name": f"mpe2 {name}", "version": version("mpe2"), "env_steps_per_s": figures}))
