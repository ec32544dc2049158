"""What Thaw asks of an environment before it uses it: who sits there, what holds by default, and whether it repeats itself."""

import hashlib
import importlib.metadata
import inspect
import os
import sys

import numpy

from .batch import Batch
from .environments import Environments, attribute_owner
from .layout import Layout
from .patience import START_PATIENCE_S, be_patient
from .refusal import Refusal

# Of an episode that is tried, the most steps.
PLAYED_STEPS = 40


def versions_of(settings, environment):
    """Versions of all that decides what an environment does; of files that belong to no package, a hash."""
    owner = type(environment.unwrapped).__module__.split(".")[0]
    named = settings["environment"].partition(":")[0].split(".")[0].split("/")[0]
    modules = dict.fromkeys([owner, named, settings["family"], "numpy"])
    packages = importlib.metadata.packages_distributions()
    versions = {}
    for module in modules:
        if module in packages:
            versions[packages[module][0]] = importlib.metadata.version(packages[module][0])
        elif module in sys.modules and getattr(sys.modules[module], "__file__", None):
            versions[module] = hashlib.sha256(source_of(sys.modules[module])).hexdigest()[:12]
    return versions


def source_of(module):
    """The sources of a module that is no package of an index, its submodules included."""
    name = module.__name__
    files = {
        loaded.__file__
        for key, loaded in list(sys.modules.items())
        if (key == name or key.startswith(name + ".")) and getattr(loaded, "__file__", None)
    }
    return b"\n".join(open(file, "rb").read() for file in sorted(files))


def rule_defaults(settings, environment):
    """What each rule is when nobody says: the attribute as it is, or the default of the argument of the class."""
    defaults = {}
    parameters = {}
    for kind in type(environment.unwrapped).__mro__:
        if "__init__" in vars(kind):
            for name, parameter in inspect.signature(kind.__init__).parameters.items():
                parameters.setdefault(name, parameter.default)
    for name, rule in settings["rules"].items():
        if "attribute" in rule:
            try:
                value = getattr(*attribute_owner(environment, rule["attribute"]))
            except AttributeError as error:
                remedy = "Name one that it has, as a path from `unwrapped`."
                raise Refusal(f"the attribute {rule['attribute']} ({error})", "an attribute", remedy, f"rules.{name}") from error
        else:
            value = parameters.get(name, None)
        is_plain = isinstance(value, (bool, int, float, str)) or isinstance(value, (numpy.integer, numpy.floating))
        defaults[name] = (value.item() if hasattr(value, "item") else value) if is_plain else None
    return defaults


def episode_steps(environment):
    spec = getattr(environment, "spec", None)
    for value in (getattr(spec, "max_episode_steps", None), getattr(environment.unwrapped, "max_cycles", None)):
        if isinstance(value, int):
            return value
    return None


def play(batch, index, seed, numbers, others=()):
    """Plays one environment at random, others beside it. @returns what it told in every step"""
    layout = batch.layout
    randoms = {place: numpy.random.default_rng(seed + (place != index)) for place in (index, *others)}
    for place in randoms:
        batch.reset(numpy.array([place, seed + (place != index), *numbers], "<f8").tobytes())
    seen, told = [], []
    for _ in range(PLAYED_STEPS):
        slot = batch.slots[index]
        seen.append([row.copy() for row in slot.observations])
        told.append(b"".join(row.tobytes() for row in (*slot.observations, slot.rewards)))
        if not slot.is_running:
            break
        for seat, action in enumerate(layout.actions):
            for place, random in randoms.items():
                batch.actions[place, seat] = any_action(batch.slots[place], seat, action, random)
        batch.step()
    return seen, told


def any_action(slot, seat, action, random):
    if action["kind"] == "box":
        return random.uniform(action["low"], action["high"])
    legal = numpy.arange(action["count"]) if slot.masks is None else numpy.flatnonzero(slot.masks[seat])
    # One number of chance for every action, however many are legal.
    return legal[int(random.random() * len(legal))]


def describe(settings):
    be_patient(True, START_PATIENCE_S)
    environments = Environments(settings)
    probe = Environments({**settings, "rules": {}})
    environment = probe.make(settings["environment"], settings["arguments"])
    layout = Layout(settings, environment)
    defaults = rule_defaults(settings, environment)
    given = {name: rule.get("default", defaults[name]) for name, rule in settings["rules"].items()}
    unknown = [name for name, value in given.items() if value is None]
    if unknown:
        raise Refusal(f"no default of {', '.join(unknown)}", "`default`", "Say what it is by default.", f"rules.{unknown[0]}")
    numbers = [number_of(settings["rules"][name], value, name) for name, value in given.items()]
    masked = has_masks(environment, layout)
    batch = Batch(environments, layout, 3, masked)
    seen, told = play(batch, 0, 1, numbers)
    play(batch, 0, 7, numbers)
    if play(batch, 0, 1, numbers)[1] != told or play(batch, 1, 1, numbers, (0, 2))[1] != told:
        raise Refusal(
            f"{settings['environment']}, which does not repeat itself under one seed",
            "an environment all of whose chance comes from reset(seed=…)",
            "Draw from the generator that reset seeds (Gymnasium's self.np_random), and set everything anew in reset.",
        )
    for number in range(2, 6):
        seen += play(batch, 0, number, numbers)[0]
    batch.close()
    be_patient(False)
    return {
        "seats": [
            {"name": name, "role": role, "observation": size, "actions": action}
            for name, role, size, action in zip(layout.names, layout.roles, layout.sizes, layout.actions)
        ],
        "masked": masked,
        "episode_steps": episode_steps(environment),
        "defaults": given,
        "ranges": ranges_of(seen),
        "versions": versions_of(settings, environment),
        "files": watched_files(settings, environment),
    }


def number_of(rule, value, name):
    if "choices" not in rule:
        if isinstance(value, str):
            raise Refusal(f"the default {value!r} of {name}", "a number, or `choices`", "List its choices.", f"rules.{name}")
        return float(value)
    if value not in rule["choices"]:
        raise Refusal(f"the default {value!r} of {name}", "one of its choices", "Add it to `choices`.", f"rules.{name}")
    return float(rule["choices"].index(value))


def has_masks(environment, layout):
    """Masks are where a space or the first infos say so, and where seats wait for their turn."""
    if layout.is_box:
        return False
    _, info = environment.reset(seed=0)
    infos = [info] if layout.is_single else list(info.values())
    return layout.is_turn_based or any(layout.inner) or any("action_mask" in info for info in infos)


def ranges_of(seen):
    """By the first numbers that all seats see: the lowest and the highest that was seen."""
    columns = min(2, min(len(row) for row in seen[0]))
    values = [[float(row[column]) for rows in seen for row in rows] for column in range(columns)]
    return [[min(column), max(column)] for column in values]


def watched_files(settings, environment):
    """Where packages come and go, and the file of the environment itself: if they stay, this description stays true."""
    module = sys.modules.get(type(environment.unwrapped).__module__)
    folders = [path for path in sys.path if path.rstrip("/").endswith("-packages")]
    return [path for path in [*folders, getattr(module, "__file__", None), sys.executable] if path and os.path.exists(path)]
