"""Answers requests."""

import json
import os
import traceback

from .batch import Batch
from .describing import describe
from .environments import Environments
from .layout import Layout
from .patience import START_PATIENCE_S, be_patient
from .protocol import (
    CLOSE,
    DONE,
    ERROR,
    HEADER_BYTES,
    OPEN,
    REPLAY,
    RESET,
    STEP,
    answer,
    read_exactly,
    write_all,
)
from .refusal import Refusal


def reason(error):
    """What was refused, or an exception with its last lines."""
    if isinstance(error, Refusal):
        return {"refusal": error.told}
    text = traceback.format_exception(type(error), error, error.__traceback__)
    place, remedy = place_of(error)
    told = {"message": f"{type(error).__name__}: {error}", "place": place, "traceback": "".join(text)[-4000:]}
    return {**told, "remedy": remedy} if remedy else told


# What packages say of something that no index of packages has, by the package that says it.
REMEDIES = {"pysc2": "If StarCraft II is not there, install it and set SC2PATH to its folder (see PySC2's own guide)."}


def place_of(error):
    """@returns where an exception was raised, and what helps against what that package usually complains about"""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    file = frame.filename.rpartition(f"site-packages{os.sep}")[2]
    return f"{file}, line {frame.lineno}", REMEDIES.get(file.split(os.sep)[0])


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
            return answer(DONE, self.open(json.loads(body)))
        elif operation == CLOSE:
            self.batches.pop(number).close()
            return answer(DONE, b"")
        else:
            return answer(DONE, json.dumps(describe(json.loads(body))).encode())
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
                answer(ERROR, json.dumps(reason(error)).encode())
