"""Raw random stepping of a kitchen of overcooked-ai, one process, without what its environment adds. Usage: LAYOUT REPETITIONS SECONDS. Prints one line of JSON."""

import json
import sys
import time
from importlib.metadata import version

import numpy
from overcooked_ai_py.mdp.actions import Action
from overcooked_ai_py.mdp.overcooked_mdp import OvercookedGridworld

name, repetitions, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
kitchen = OvercookedGridworld.from_layout_name(name)
HORIZON = 400
drawn = numpy.random.default_rng(0).integers(0, Action.NUM_ACTIONS, size=(10_000, 2)).tolist()
actions = [tuple(Action.INDEX_TO_ACTION[action] for action in joint) for joint in drawn]


def steps_per_second() -> float:
    steps = 0
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        if steps % HORIZON == 0:
            state = kitchen.get_standard_start_state()
        state, _ = kitchen.get_state_transition(state, actions[steps % len(actions)])
        steps += 1
    return steps / (time.perf_counter() - started)


steps_per_second()
figures = [steps_per_second() for _ in range(repetitions)]
print(json.dumps({"name": f"overcooked-ai {name}", "version": version("overcooked-ai"), "env_steps_per_s": figures}))
