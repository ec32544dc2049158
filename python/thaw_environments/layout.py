"""What seats see and may do: the spaces of an environment as rows of numbers and as actions of Thaw."""

import itertools
import json
import re

import numpy

from .refusal import Refusal

OBSERVATION_MAX = 65_536
ACTIONS_MAX = 4_096


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
        # Seats by role, in the order in which roles come first.
        self.groups = [
            [seat for seat, other in enumerate(self.roles) if other == role] for role in dict.fromkeys(self.roles)
        ]

    def roles_of(self):
        """Seats whose names differ by their number alone, and that see and may do alike, have one role."""
        stems = [re.sub(r"[_-]?\d+$", "", name) or "agent" for name in self.names]
        alike = {}
        for seat, stem in enumerate(stems):
            alike.setdefault(stem, set()).add((self.sizes[seat], json.dumps(self.actions[seat])))
        return [stem if len(alike[stem]) == 1 else name for stem, name in zip(stems, self.names)]

    def place_of(self, seat):
        """@returns its group, and its place there"""
        group = next(index for index, seats in enumerate(self.groups) if seat in seats)
        return group, self.groups[group].index(seat)
