"""Trains policies for Thaw: reads the task of a round, plays its simulators, reports, and saves. One file, nothing to install.

    import thaw_trainer

    task = thaw_trainer.read_task()
    world = task.world(environments=32)
    while world.steps_left > 0:
        step = world.step({"agent": actions_of(world.observations["agent"])})
    task.report(metrics={"loss": 0.5})
    task.save(policies={"agent": "policy.onnx"})

Arrays are numpy's where numpy is installed, and flat memoryviews of the same numbers otherwise. See docs/guides/own-trainer.md.
"""

import array
import json
import math
import os
import pathlib
import struct
import sys
import threading

try:
    import numpy
except ImportError:
    numpy = None

__all__ = ["Task", "World", "Step", "read_task", "OTHER", "SELF", "LEARNER"]

#: What a seat is to the trainer: somebody else acts there; its policy acts and must not learn from it; it acts and learns.
OTHER, SELF, LEARNER = 0, 1, 2

_FORMAT = 1


def read_task():
    """The task of this round, which Thaw has left where the variable THAW_TASK says."""
    place = os.environ.get("THAW_TASK")
    if place is None:
        raise SystemExit("THAW_TASK is not set: this program is started by Thaw, as the `trainer` of an experiment")
    description = json.loads(pathlib.Path(place).read_text())
    if description["format"] != _FORMAT:
        raise SystemExit(f"the task has format {description['format']}, and this thaw_trainer.py reads {_FORMAT}")
    threading.Thread(target=_end_with_thaw, daemon=True).start()
    return Task(description)


def _end_with_thaw():
    """Standard input ends when Thaw does, and then nobody waits for this program any more."""
    while os.read(0, 4096):
        pass
    os._exit(1)


class Task:
    """What is to be trained in this round.

    round, rounds   rounds before this one, and of the whole run
    seed            of the run
    env_steps       joint steps of one environment to train for
    settings        `trainer.settings` of the experiment
    simulators      what to train on: name, weight, learns, simulator, randomization
    groups          seats that see and act alike: role, seats, observation_size, actions
    learners        seats that learn
    checkpoint      folder that the round before saved; None in the first
    save_folder     folder to save into
    description     all of it, as it is in the file
    """

    def __init__(self, description):
        self.description = description
        self.round = description["round"]
        self.rounds = description["rounds"]
        self.seed = description["seed"]
        self.env_steps = description["env_steps"]
        self.settings = description["settings"]
        self.simulators = description["simulators"]
        self.policies = description["policies"]
        self.groups = description["world"]["groups"]
        self.learners = description["world"]["learners"]
        self.episode_steps_max = description["world"]["episode_steps_max"]
        before = description["checkpoint"]
        self.checkpoint = None if before is None else pathlib.Path(before)
        self._out = pathlib.Path(description["out"])
        self.save_folder = self._out / "checkpoint"
        self.save_folder.mkdir(parents=True, exist_ok=True)
        self._events = open(self._out / "events.jsonl", "a", encoding="utf-8")

    @property
    def round_seed(self):
        """A number for random generators that differs from round to round and from run to run."""
        return (self.seed * 1_000_003 + self.round * 7_919 + 17) % 2**32

    def group(self, role):
        """The seats of a role."""
        return next(group for group in self.groups if group["role"] == role)

    def world(self, environments):
        """The simulators of this round, played by Thaw: so many environments at once, with the partners of each."""
        return World(self, environments)

    def report(self, metrics=None, env_steps=None, episode=None):
        """Tells how it goes, which also shows that this program lives.

        metrics    name -> number, averaged over the round
        env_steps  steps so far in an environment of your own; those of `world` are counted by Thaw
        episode    {"simulator": name, "return": r, "length": n, "success": bool} of an environment of your own
        """
        event = {"metrics": metrics, "env_steps": env_steps, "episode": episode}
        self._events.write(_json({key: value for key, value in event.items() if value is not None}) + "\n")
        self._events.flush()

    def save(self, policies, env_steps=0):
        """Ends the round: `save_folder` is the checkpoint that the next round starts from.

        policies   role -> ONNX file, as a path or as bytes
        env_steps  all steps in an environment of your own
        """
        named = {}
        for role, policy in policies.items():
            content = policy if isinstance(policy, bytes) else pathlib.Path(policy).read_bytes()
            named[role] = f"policy-{len(named)}.onnx"
            (self._out / named[role]).write_bytes(content)
        self._finish({"policies": named, "checkpoint": self.save_folder.name, "env_steps": env_steps})

    def diverged(self, what, optimizer_step=0):
        """Ends the run: `what` was not finite. It is not tried again."""
        self._finish({"diverged": {"what": what, "optimizer_step": optimizer_step}})

    def _finish(self, result):
        # Whole or not at all: this file says that the round is done.
        partial = self._out / "result.json.partial"
        partial.write_text(_json(result))
        partial.replace(self._out / "result.json")


def _json(value):
    """JSON has no NaN and no infinities: they are written as words."""
    return json.dumps(_plain(value), allow_nan=False)


def _plain(value):
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if isinstance(value, (str, bool, int)) or value is None:
        return value
    if hasattr(value, "item"):
        return _plain(value.item())
    number = float(value)
    if math.isnan(number):
        return "NaN"
    return number if math.isfinite(number) else ("Infinity" if number > 0 else "-Infinity")


class Step:
    """What a step gave: B environments, N seats; of each role G seats with O numbers to see and A actions.

    rewards       [B, N]
    ended         [B]: 1 where the episode ended by the rules of the task (nothing follows)
    truncated     [B]: 1 where it ended at its most steps (more would have followed)
    final         role -> [B, G, O]: what was seen last where an episode is over; otherwise the same as `observations`
    """

    def __init__(self, rewards, ended, truncated, final):
        self.rewards = rewards
        self.ended = ended
        self.truncated = truncated
        self.final = final


class World:
    """The pool of a round. An environment whose episode is over begins the next at once.

    observations  role -> [B, G, O]: what the seats see now
    masks         role -> [B, G, A]: 1 where an action is legal; only of roles that have illegal ones
    seats         [B, N]: OTHER, SELF or LEARNER; where it is OTHER your action is not looked at
    simulators    [B]: index in `task.simulators` of what each environment plays
    """

    def __init__(self, task, environments):
        self.environments = environments
        self._groups = task.groups
        self._seat_count = task.description["world"]["seat_count"]
        self._env_steps = task.env_steps
        self._played = 0
        first = self._groups[0]["actions"]
        self._code = "i" if first["kind"] == "discrete" else "f"
        self._width = 1 if first["kind"] == "discrete" else len(first["low"])
        self._descriptor = int(os.environ["THAW_WORLD_FD"])
        self._ask(b"O" + json.dumps({"environments": environments}).encode())
        self._take(self._answer())

    @property
    def steps_left(self):
        """Env steps of this round that are left; each call of `step` takes one for every environment."""
        return max(0, self._env_steps - self._played)

    def step(self, actions):
        """Plays one joint step. `actions`: role -> [B, G] whole numbers, or [B, G, W] numbers of a box."""
        self._ask(b"S" + self._joint(actions))
        self._played += self.environments
        return self._take(self._answer())

    def _joint(self, actions):
        """Shape [B, N, W] of the actions of all roles."""
        shape = (self.environments, self._seat_count, self._width)
        if numpy is not None:
            joint = numpy.zeros(shape, numpy.int32 if self._code == "i" else numpy.float32)
            for group in self._groups:
                if group["role"] in actions:
                    given = numpy.asarray(actions[group["role"]])
                    joint[:, group["seats"]] = given.reshape(self.environments, len(group["seats"]), self._width)
            return joint.tobytes()
        joint = array.array(self._code, bytes(4 * shape[0] * shape[1] * shape[2]))
        for group in self._groups:
            given = iter(actions.get(group["role"], ()))
            for place, number in enumerate(given):
                environment, rest = divmod(place, len(group["seats"]) * self._width)
                seat, part = divmod(rest, self._width)
                joint[(environment * self._seat_count + group["seats"][seat]) * self._width + part] = number
        return joint.tobytes()

    def _take(self, reply):
        count, seats = self.environments, self._seat_count
        tells_final = reply[1] == 1
        reader = _Reader(reply, 4)
        sizes = {group["role"]: (count, len(group["seats"]), group["observation_size"]) for group in self._groups}
        self.observations = {role: reader.array("f", shape) for role, shape in sizes.items()}
        rewards = reader.array("f", (count, seats))
        final = {role: reader.array("f", shape) for role, shape in sizes.items()} if tells_final else self.observations
        self.simulators = reader.array("i", (count,))
        ended, truncated = reader.array("B", (count,)), reader.array("B", (count,))
        self.seats = reader.array("B", (count, seats))
        self.masks = {
            group["role"]: reader.array("B", (count, len(group["seats"]), group["actions"]["count"]))
            for group in self._groups
            if group["masked"]
        }
        return Step(rewards, ended, truncated, final)

    def _ask(self, message):
        parts = memoryview(struct.pack("<I", len(message)) + message)
        while len(parts) > 0:
            parts = parts[os.write(self._descriptor, parts) :]

    def _answer(self):
        (length,) = struct.unpack("<I", self._read(4))
        reply = self._read(length)
        if reply[0] != 0:
            raise RuntimeError(f"Thaw: {bytes(reply[1:]).decode()}")
        return reply

    def _read(self, length):
        content = bytearray(length)
        rest = memoryview(content)
        while len(rest) > 0:
            count = os.readv(self._descriptor, [rest])
            if count == 0:
                sys.exit("Thaw has ended")
            rest = rest[count:]
        return content


class _Reader:
    """Arrays out of a reply, one after the other."""

    def __init__(self, content, offset):
        self.content = content
        self.offset = offset

    def array(self, code, shape):
        size = 1
        for length in shape:
            size *= length
        if numpy is not None:
            kind = {"f": numpy.float32, "i": numpy.int32, "B": numpy.uint8}[code]
            found = numpy.frombuffer(self.content, kind, size, self.offset).reshape(shape)
        else:
            width = 1 if code == "B" else 4
            found = memoryview(self.content)[self.offset : self.offset + width * size].cast(code)
        self.offset += size * (1 if code == "B" else 4)
        return found
