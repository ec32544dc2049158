"""Steps environments of PettingZoo and Gymnasium for Thaw, many in one message. Needs numpy, and what it bridges.

Thaw starts it with two pipes: requests come in on file descriptor 3, replies leave on 4, and what anybody prints goes to
the standard error, whose end Thaw shows when something goes wrong. Numbers are little-endian.

    request   uint32 operation, batch, length, 0, then the body
    reply     uint32 status, length, 0, 0, then the body; status 1 is an error, whose body says what it is

Bodies of `open` and `describe` are JSON. Letters: B environments, N seats, G seats of a group, O numbers of its
observation, A of its actions, W numbers of an action, R rules.

    reset     float64 [count, 2 + R]: environment, seed, rules
    step      int32 or float32 [B, N, W]: actions
    both      reply float64 [B, N] rewards; by group float32 [B, G, O] observations; uint8 [B] over by the task,
              uint8 [B] cut off; by group uint8 [B, G, A] legal actions, where the world has masks
"""

import ctypes
import faulthandler
import hashlib
import importlib
import importlib.metadata
import importlib.util
import inspect
import itertools
import json
import os
import re
import signal
import sys
import traceback

REQUESTS, REPLIES = 3, 4
HEADER_BYTES = 16
STEP, RESET, OPEN, CLOSE, DESCRIBE, REPLAY = 1, 2, 3, 4, 5, 6
# One environment may take so long for a step, a reset or its start; then all stacks are printed and SIGALRM ends us.
PATIENCE_S = int(os.environ.get("THAW_ENVIRONMENT_PATIENCE_S") or 60)
# The first environment of a kind brings its packages, which may take long to import.
START_PATIENCE_S = max(60, PATIENCE_S)
# Environments that wait for their next use, for every batch that is open.
IDLE_MAX = 512
OBSERVATION_MAX = 65_536
ACTIONS_MAX = 4_096


class Refusal(Exception):
    """What was asked for cannot be bridged. `remedy` says what to do about it."""

    def __init__(self, found, expected, remedy, key="environment"):
        super().__init__(found)
        self.told = {"key": key, "found": found, "expected": expected, "remedy": remedy}


# ---------------------------------------------------------------------------------------------- environments by name


def install(packages):
    return f"Install it: {sys.executable} -m pip install {packages}"


def load(module):
    """Imports a module. What is missing is named, with the command that installs it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or module).split(".")[0]
        own = "" if missing != module.split(".")[0] else " (or set PYTHONPATH, if it is your own)"
        top = importlib.util.find_spec(missing) if own else None
        if top is not None:
            raise Refusal(f"{module}, which {missing} does not have", "a module", "Correct the name.") from error
        raise Refusal(
            f"{module}, for which Python lacks the package {missing}",
            f"a module that {sys.executable} can import",
            install(PACKAGES.get(missing, missing)) + own,
        ) from error
    except ImportError as error:
        raise Refusal(f"{module}, which cannot be imported: {error}", "a module that can be", "See the message.") from error


# Packages that are not called like their modules.
PACKAGES = {"pygame": "pygame-ce", "Box2D": "gymnasium[box2d]", "shimmy": "shimmy[dm-control]", "ale_py": "ale-py"}


def factory_named(name):
    """`package.module:function`, if that is what a name is."""
    module, colon, function = name.partition(":")
    return getattr(load(module), function, None) if colon and not re.search(r"-v\d+$", function) else None


def make_parallel(name, arguments):
    load("pettingzoo")
    make = factory_named(name)
    if make is None:
        module = load(name.partition(":")[0])
        make = getattr(module, "parallel_env", None) or getattr(module, "env", None)
    if make is None:
        raise Refusal(
            f"{name}, which has neither parallel_env nor env",
            "a module of PettingZoo environments, e.g. mpe2.simple_tag_v3, or package.module:function",
            "Name the module of the environment itself.",
        )
    environment = make(**arguments)
    if hasattr(environment, "agent_iter"):
        from pettingzoo.utils import conversions

        is_parallel = environment.metadata.get("is_parallelizable", False)
        convert = conversions.aec_to_parallel if is_parallel else conversions.turn_based_aec_to_parallel
        environment = convert(environment)
    return environment


def make_single(name, arguments):
    gymnasium = load("gymnasium")
    make = factory_named(name)
    try:
        environment = gymnasium.make(name, disable_env_checker=True, **arguments) if make is None else make(**arguments)
    except gymnasium.error.DependencyNotInstalled as error:
        raise Refusal(f"{name}, which lacks a package: {error}", "its packages", "Install what it names.") from error
    except (gymnasium.error.UnregisteredEnv, gymnasium.error.VersionNotFound) as error:
        known = [other for other in gymnasium.registry if other.split("-v")[0] == name.split("-v")[0]]
        hint = f"Write {known[-1]}." if known else "Write it as gymnasium.make takes it; MODULE:ID imports MODULE before."
        raise Refusal(f"{name}: {error}", "a registered environment", hint) from error
    return environment


MAKERS = {"pettingzoo": make_parallel, "gymnasium": make_single}


# --------------------------------------------------------------------------------------------- observations, actions


def flat_observation(space, wrappers, seat):
    """@returns (size, function to a flat array or None where it is one already)"""
    from gymnasium import spaces

    if isinstance(space, spaces.Box) and len(space.shape) > 1 and space.dtype == numpy.uint8:
        raise Refusal(f"images {space.shape} as observations of {seat}", "numbers in a row", "Wrap it so that it tells features.")
    if isinstance(space, spaces.Box) and len(space.shape) == 1:
        return space.shape[0], None
    if "flatten" not in wrappers:
        raise Refusal(
            f"the observation space {space} of {seat}",
            "a Box of one dimension",
            'Add the wrapper { "name": "flatten" }.',
            "wrappers",
        )
    size = spaces.flatdim(space)
    return size, lambda observation: spaces.flatten(space, observation)


def action_of(space, wrappers, seat):
    """@returns (how Thaw sees it, function from what Thaw sends to what the environment takes, or None)"""
    from gymnasium import spaces

    bins = wrappers.get("discretize", {}).get("bins")
    if isinstance(space, spaces.Discrete):
        start = int(space.start)
        return {"kind": "discrete", "count": int(space.n)}, (lambda action: action + start) if start else None
    if isinstance(space, (spaces.Box, spaces.MultiDiscrete)) and len(space.shape) == 1 and bins is not None:
        return discretized(space, bins, seat)
    if isinstance(space, spaces.Box) and len(space.shape) == 1:
        if not numpy.isfinite([space.low, space.high]).all():
            raise Refusal(f"the action space {space} of {seat}", "finite limits", "Wrap it so that its actions have limits.")
        # A limit that single precision rounds outwards is none of the environment's.
        convert = None if space.dtype == numpy.float32 else lambda action: action.astype(space.dtype).clip(space.low, space.high)
        return {"kind": "box", "low": space.low.tolist(), "high": space.high.tolist()}, convert
    raise Refusal(
        f"the action space {space} of {seat}",
        "Discrete, or a Box of one dimension",
        'Add the wrapper { "name": "discretize", "bins": 3 }, or one of your own.',
        "wrappers",
    )


def discretized(space, bins, seat):
    """Every combination of evenly spaced values of a box, or of the choices of a MultiDiscrete; the last changes first."""
    if hasattr(space, "nvec"):
        axes = [range(int(count)) for count in space.nvec]
    elif numpy.isfinite([space.low, space.high]).all():
        axes = [numpy.linspace(low, high, bins) for low, high in zip(space.low, space.high)]
    else:
        raise Refusal(f"the action space {space} of {seat}", "finite limits", "Wrap it so that its actions have limits.")
    count = int(numpy.prod([len(axis) for axis in axes]))
    if count > ACTIONS_MAX:
        raise Refusal(f"{count} actions of {seat}", f"at most {ACTIONS_MAX}", "Choose fewer bins.", "wrappers")
    table = [numpy.array(values, dtype=space.dtype) for values in itertools.product(*axes)]
    return {"kind": "discrete", "count": count}, lambda action: table[action].copy()


class Layout:
    """What the seats of an environment see and may do: the same for all environments of a batch."""

    def __init__(self, settings, environment):
        wrappers = {wrapper["name"]: wrapper for wrapper in settings["wrappers"]}
        self.is_single = settings["family"] == "gymnasium"
        self.is_turn_based = type(environment).__name__ == "turn_based_aec_to_parallel_wrapper"
        self.names = ["agent"] if self.is_single else list(environment.possible_agents)
        self.sizes, self.flatten, self.actions, self.convert, self.inner = [], [], [], [], []
        for name in self.names:
            space = environment.observation_space if self.is_single else environment.observation_space(name)
            action = environment.action_space if self.is_single else environment.action_space(name)
            inner = getattr(space, "spaces", {})
            # Masks come beside the observation proper, as in PettingZoo's classic games.
            self.inner.append(isinstance(inner, dict) and "action_mask" in inner and "observation" in inner)
            size, flatten = flat_observation(inner["observation"] if self.inner[-1] else space, wrappers, name)
            told, convert = action_of(action, wrappers, name)
            if size > OBSERVATION_MAX:
                raise Refusal(f"{size} numbers that {name} sees", f"at most {OBSERVATION_MAX}", "Wrap it to tell less.")
            self.sizes.append(size)
            self.flatten.append(flatten)
            self.actions.append(told)
            self.convert.append(convert)
        if len({(told["kind"], len(told.get("low", [0]))) for told in self.actions}) > 1:
            raise Refusal(
                "seats with actions of different kinds, or of boxes of different sizes",
                "the same for all",
                'Add the wrapper { "name": "discretize", "bins": 3 }.',
                "wrappers",
            )
        self.is_box = self.actions[0]["kind"] == "box"
        self.width = len(self.actions[0].get("low", [0]))
        self.roles = self.roles_of()

    def roles_of(self):
        """Seats whose names differ by their number alone, and that see and may do alike, have one role."""
        stems = [re.sub(r"[_-]?\d+$", "", name) or "agent" for name in self.names]
        alike = {}
        for seat, stem in enumerate(stems):
            alike.setdefault(stem, set()).add((self.sizes[seat], json.dumps(self.actions[seat])))
        return [stem if len(alike[stem]) == 1 else name for stem, name in zip(stems, self.names)]


# -------------------------------------------------------------------------------------------------- one environment


class Slot:
    """One environment of a batch with its rows of the reply."""

    def __init__(self, layout, rewards, observations, masks):
        self.layout, self.rewards, self.observations, self.masks = layout, rewards, observations, masks
        self.environment = None
        self.is_running = False
        self.key = None

    def reset(self, seed):
        self.rewards[:] = 0
        if self.layout.is_single:
            observation, info = self.environment.reset(seed=seed)
            self.see({"agent": observation}, {"agent": info})
        else:
            self.see(*self.environment.reset(seed=seed))
        self.is_running = True

    def step(self, actions):
        """@param actions of every seat @returns whether the episode is over by the task, and whether it was cut off"""
        if self.layout.is_single:
            observation, reward, ended, cut, info = self.environment.step(self.taken(0, actions[0]))
            self.rewards[0] = reward
            self.see({"agent": observation}, {"agent": info})
            self.is_running = not (ended or cut)
            return bool(ended), bool(cut) and not ended
        environment, names = self.environment, self.layout.names
        present = environment.agents
        given = {name: self.taken(seat, actions[seat]) for seat, name in enumerate(names) if name in present}
        observations, rewards, ended, cut, infos = environment.step(given)
        for seat, name in enumerate(names):
            self.rewards[seat] = rewards.get(name, 0)
        self.see(observations, infos)
        self.is_running = bool(environment.agents) and not all(ended[name] or cut[name] for name in ended)
        if self.is_running:
            return False, False
        is_ended = all(ended.values())
        return is_ended, not is_ended

    def taken(self, seat, action):
        convert = self.layout.convert[seat]
        return action if convert is None else convert(action)

    def see(self, observations, infos):
        layout = self.layout
        acting = self.environment.unwrapped.agent_selection if layout.is_turn_based else None
        for seat, name in enumerate(layout.names):
            row = self.observations[seat]
            observation = observations.get(name)
            mask = None
            if observation is None:
                row[:] = 0
            else:
                if layout.inner[seat]:
                    observation, mask = observation["observation"], observation["action_mask"]
                flatten = layout.flatten[seat]
                if flatten is not None:
                    observation = flatten(observation)
                if getattr(observation, "shape", None) != row.shape:
                    shape = getattr(observation, "shape", type(observation).__name__)
                    raise ValueError(f"{name} observes {shape}, where its space says {row.shape}")
                row[:] = observation
            if self.masks is not None:
                self.note_mask(seat, name, mask, infos, observation is None or (acting is not None and acting != name))

    def note_mask(self, seat, name, mask, infos, is_idle):
        """Who has left, or whose turn it is not, may do action 0 alone: nothing is learnt of it, and it is not asked."""
        row = self.masks[seat]
        if mask is None:
            mask = infos.get(name, {}).get("action_mask")
        if is_idle or (mask is not None and not numpy.any(mask)):
            row[:] = 0
            row[0] = 1
        elif mask is None:
            row[:] = 1
        else:
            row[:] = mask


def attribute_owner(environment, path):
    *parts, last = path.split(".")
    owner = environment.unwrapped
    for part in parts:
        owner = getattr(owner, part)
    return owner, last


# ------------------------------------------------------------------------------------------------------------ a batch


class Environments:
    """Makes environments of one kind, and keeps those that are idle for whoever needs the same next."""

    def __init__(self, settings):
        self.settings = settings
        self.make = MAKERS[settings["family"]]
        # Names that are arguments, and names that are attributes, with where each stands among the rules.
        self.rules = list(settings["rules"].items())
        self.idle = {}
        self.idle_count = 0

    def value(self, rule, number):
        if "choices" in rule:
            return rule["choices"][int(number)]
        return int(number) if rule.get("integer") else float(number)

    def place(self, slot, numbers):
        """Gives a slot an environment with these rules: its own if that has them, an idle one, or a new one."""
        values = [self.value(rule, number) for (_, rule), number in zip(self.rules, numbers)]
        arguments = {name: value for (name, rule), value in zip(self.rules, values) if "attribute" not in rule}
        key = json.dumps(arguments)
        if slot.environment is None or slot.key != key:
            self.take_back(slot)
            waiting = self.idle.get(key)
            if waiting:
                slot.environment = waiting.pop()
                self.idle_count -= 1
            else:
                slot.environment = self.make(self.settings["environment"], {**self.settings["arguments"], **arguments})
            slot.key = key
        for (_, rule), value in zip(self.rules, values):
            if "attribute" in rule:
                setattr(*attribute_owner(slot.environment, rule["attribute"]), value)

    def take_back(self, slot):
        if slot.environment is None:
            return
        if self.idle_count >= IDLE_MAX:
            oldest = next(iter(self.idle))
            for environment in self.idle.pop(oldest):
                environment.close()
                self.idle_count -= 1
        # The key that was used last goes to the end, so that what nobody needs any more is closed first.
        waiting = self.idle.pop(slot.key, [])
        waiting.append(slot.environment)
        self.idle[slot.key] = waiting
        self.idle_count += 1
        slot.environment = None


class Batch:
    """B environments that are stepped together, on arrays that are made once."""

    def __init__(self, environments, layout, count, is_masked):
        self.environments, self.layout = environments, layout
        seats = len(layout.names)
        groups = {}
        for seat, role in enumerate(layout.roles):
            groups.setdefault(role, []).append(seat)
        groups = list(groups.values())
        sizes = [count * len(group) * layout.sizes[group[0]] for group in groups]
        mask_sizes = [count * len(group) * layout.actions[group[0]].get("count", 0) if is_masked else 0 for group in groups]
        length = 8 * count * seats + 4 * sum(sizes) + 2 * count + sum(mask_sizes)
        self.reply = bytearray(HEADER_BYTES + length)
        memoryview(self.reply)[:HEADER_BYTES].cast("I")[1] = length
        offset = HEADER_BYTES

        def array(dtype, *shape):
            nonlocal offset
            made = numpy.frombuffer(self.reply, dtype, int(numpy.prod(shape)), offset).reshape(shape)
            offset += made.nbytes
            return made

        rewards = array("<f8", count, seats)
        self.rewards = rewards
        views = [array("<f4", count, len(group), layout.sizes[group[0]]) for group in groups]
        self.observations = views
        self.ended, self.cut = array("u1", count), array("u1", count)
        masks = [array("u1", count, len(group), layout.actions[group[0]]["count"]) for group in groups] if is_masked else None
        # Of an environment that was never reset, nobody looks at what it may do; all, so that there is something.
        for mask in masks or []:
            mask[:] = 1
        places = {seat: (index, place) for index, group in enumerate(groups) for place, seat in enumerate(group)}

        def rows(arrays, environment):
            return [arrays[places[seat][0]][environment, places[seat][1]] for seat in range(seats)]

        self.slots = [
            Slot(layout, rewards[index], rows(views, index), rows(masks, index) if is_masked else None)
            for index in range(count)
        ]
        shape = (count, seats, layout.width) if layout.is_box else (count, seats)
        self.actions = numpy.zeros(shape, "<f4" if layout.is_box else "<i4")
        self.limits = None
        if layout.is_box:
            self.limits = [numpy.array([told[side] for told in layout.actions], "<f4") for side in ("low", "high")]

    def reset(self, body):
        records = numpy.frombuffer(body, "<f8").reshape(-1, 2 + len(self.environments.rules)).tolist()
        for index, seed, *rules in records:
            slot = self.slots[int(index)]
            self.ended[int(index)] = self.cut[int(index)] = 0
            be_patient(True)
            self.environments.place(slot, rules)
            slot.reset(int(seed))
        be_patient(False)
        self.check()

    def step(self):
        # Environments may keep what they are given, so boxes are views of a copy.
        actions = self.actions.tolist() if self.limits is None else numpy.clip(self.actions, *self.limits)
        ended, cut = self.ended, self.cut
        for index, slot in enumerate(self.slots):
            if slot.is_running:
                be_patient(True)
                ended[index], cut[index] = slot.step(actions[index])
            else:
                slot.rewards[:] = 0
        be_patient(False)
        self.check()

    def replay(self, index, joint_actions):
        """Plays the actions of one environment once more, after its reset."""
        slot = self.slots[index]
        for joint in joint_actions:
            self.actions[index] = numpy.array(joint, self.actions.dtype).reshape(self.actions.shape[1:])
            taken = self.actions[index].tolist() if self.limits is None else self.actions[index].copy()
            if slot.is_running:
                be_patient(True)
                self.ended[index], self.cut[index] = slot.step(taken)
        be_patient(False)
        self.check()

    def check(self):
        if numpy.isfinite(self.rewards).all() and all(numpy.isfinite(view).all() for view in self.observations):
            return
        for index, slot in enumerate(self.slots):
            for name, reward, row in zip(self.layout.names, slot.rewards, slot.observations):
                if not (numpy.isfinite(reward) and numpy.isfinite(row).all()):
                    raise ValueError(f"{name} of environment {index} has the reward {reward} and observes {row.tolist()}")

    def close(self):
        for slot in self.slots:
            self.environments.take_back(slot)


# ---------------------------------------------------------------------------------------------------------- describing


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


PLAYED_STEPS = 40


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


# ------------------------------------------------------------------------------------------------------------- serving


def be_patient(is_waiting, seconds=PATIENCE_S):
    signal.setitimer(signal.ITIMER_REAL, seconds if is_waiting else 0)


def read_exactly(view):
    while len(view) > 0:
        count = os.readv(REQUESTS, [view])
        if count == 0:
            os._exit(0)
        view = view[count:]


def write_all(data):
    view = memoryview(data)
    while len(view) > 0:
        view = view[os.write(REPLIES, view) :]


def answer(status, body):
    write_all(numpy.array([status, len(body), 0, 0], "<u4").tobytes() + body)


def reason(error):
    """What was refused, or an exception with its last lines."""
    if isinstance(error, Refusal):
        return {"refusal": error.told}
    text = traceback.format_exception(type(error), error, error.__traceback__)
    return {"message": f"{type(error).__name__}: {error}", "traceback": "".join(text)[-4000:]}


class Server:
    def __init__(self):
        self.batches, self.kinds = {}, {}
        self.next_batch = 1

    def open(self, request):
        settings = request["settings"]
        key = json.dumps(settings)
        if key not in self.kinds:
            be_patient(True, START_PATIENCE_S)
            environments = Environments(settings)
            environment = environments.make(settings["environment"], settings["arguments"])
            self.kinds[key] = environments, Layout(settings, environment)
            environment.close()
            be_patient(False)
        number = self.next_batch
        self.next_batch += 1
        self.batches[number] = Batch(*self.kinds[key], request["count"], request["masked"])
        return json.dumps({"batch": number, "length": len(self.batches[number].reply) - HEADER_BYTES}).encode()

    def serve(self, operation, number, body):
        if operation == RESET:
            self.batches[number].reset(body)
        elif operation == REPLAY:
            told = json.loads(body)
            self.batches[number].replay(told["environment"], told["actions"])
        elif operation == OPEN:
            return answer(0, self.open(json.loads(body)))
        elif operation == CLOSE:
            self.batches.pop(number).close()
            return answer(0, b"")
        else:
            return answer(0, json.dumps(describe(json.loads(body))).encode())
        write_all(self.batches[number].reply)

    def run(self):
        header = bytearray(HEADER_BYTES)
        fields = memoryview(header).cast("I")
        while True:
            read_exactly(memoryview(header))
            operation, number, length, _ = fields
            try:
                if operation == STEP:
                    batch = self.batches[number]
                    read_exactly(memoryview(batch.actions).cast("B"))
                    batch.step()
                    write_all(batch.reply)
                else:
                    body = bytearray(length)
                    read_exactly(memoryview(body))
                    self.serve(operation, number, body)
            except Exception as error:
                be_patient(False)
                answer(1, json.dumps(reason(error)).encode())


def main():
    global numpy
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: who started us is gone, and so are we.
    faulthandler.enable()
    faulthandler.register(signal.SIGALRM, all_threads=True, chain=True)
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    try:
        import numpy
    except ModuleNotFoundError:
        told = {"key": "environment", "found": "a Python without numpy", "expected": "numpy", "remedy": install("numpy")}
        body = json.dumps({"refusal": told}).encode()
        os.write(REPLIES, b"".join(number.to_bytes(4, "little") for number in (1, len(body), 0, 0)) + body)
        return
    Server().run()


if __name__ == "__main__":
    main()
