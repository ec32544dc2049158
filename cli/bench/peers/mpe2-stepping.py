"""Raw random stepping of MPE2's simple_spread_v3, parallel API, one process. Usage: REPETITIONS SECONDS. Prints one line of JSON."""

import json
import sys
import time
from importlib.metadata import version

import numpy
from mpe2 import simple_spread_v3

repetitions, seconds = int(sys.argv[1]), float(sys.argv[2])
environment = simple_spread_v3.parallel_env(N=3, local_ratio=0.5, max_cycles=25, continuous_actions=False)
names = environment.possible_agents
actions = numpy.random.default_rng(0).integers(0, 5, size=(10_000, len(names))).tolist()


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
print(
    json.dumps(
        {
            "name": "mpe2 simple_spread_v3",
            "version": version("mpe2"),
            "env_steps_per_s": [steps_per_second() for _ in range(repetitions)],
        }
    )
)
