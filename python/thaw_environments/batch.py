"""Environments that are stepped together."""

import numpy

from .patience import be_patient
from .protocol import HEADER_BYTES
from .slot import Slot


class Batch:
    """B environments that are stepped together, on arrays that are made once."""

    def __init__(self, environments, layout, count, is_masked):
        self.environments, self.layout = environments, layout
        self.reply, arrays = reply_of(layout, count, is_masked)
        self.rewards, self.observations, self.ended, self.cut, masks = arrays
        # Of an environment that was never reset, nobody looks at what it may do; all, so that there is something.
        for mask in masks or []:
            mask[:] = 1
        places = [layout.place_of(seat) for seat in range(len(layout.names))]

        def rows(arrays, environment):
            return [arrays[group][environment, place] for group, place in places]

        self.slots = [
            Slot(layout, self.rewards[index], rows(self.observations, index), rows(masks, index) if is_masked else None)
            for index in range(count)
        ]
        shape = (count, len(places), layout.width) if layout.is_box else (count, len(places))
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


def reply_of(layout, count, is_masked):
    """@returns the bytes of a reply, and its arrays, which are views of them: rewards, observations, ended, cut, masks"""
    shapes = [("<f8", (count, len(layout.names)))]
    shapes += [("<f4", (count, len(seats), layout.sizes[seats[0]])) for seats in layout.groups]
    shapes += [("u1", (count,))] * 2
    if is_masked:
        shapes += [("u1", (count, len(seats), layout.actions[seats[0]]["count"])) for seats in layout.groups]
    lengths = [numpy.dtype(dtype).itemsize * int(numpy.prod(shape)) for dtype, shape in shapes]
    reply = bytearray(HEADER_BYTES + sum(lengths))
    memoryview(reply)[:HEADER_BYTES].cast("I")[1] = sum(lengths)
    arrays, offset = [], HEADER_BYTES
    for (dtype, shape), length in zip(shapes, lengths):
        arrays.append(numpy.frombuffer(reply, dtype, length // numpy.dtype(dtype).itemsize, offset).reshape(shape))
        offset += length
    groups = len(layout.groups)
    rewards, observations, (ended, cut) = arrays[0], arrays[1 : 1 + groups], arrays[1 + groups : 3 + groups]
    return reply, (rewards, observations, ended, cut, arrays[3 + groups :] if is_masked else None)
