"""What goes over the pipes. Numbers are little-endian.

Requests come in on file descriptor 3, replies leave on 4, and what anybody prints goes to the standard error, whose end
Thaw shows when something goes wrong.

    request   uint32 operation, batch, length, 0, then the body
    reply     uint32 status, length, 0, 0, then the body; status 1 is an error, whose body says what it is

Bodies of `open`, `describe` and `replay` are JSON. Letters: B environments, N seats, G seats of a group, O numbers of
its observation, A of its actions, W numbers of an action, R rules.

    reset     float64 [count, 2 + R]: environment, seed, rules
    step      int32 or float32 [B, N, W]: actions
    both      reply float64 [B, N] rewards; by group float32 [B, G, O] observations; uint8 [B] over by the task,
              uint8 [B] cut off; by group uint8 [B, G, A] legal actions, where the world has masks

Nothing here needs numpy, so that its absence can be told.
"""

import os

REQUESTS, REPLIES = 3, 4
HEADER_BYTES = 16
STEP, RESET, OPEN, CLOSE, DESCRIBE, REPLAY = 1, 2, 3, 4, 5, 6
DONE, ERROR = 0, 1


def read_exactly(view):
    """Fills a view. Who closes the pipe in front wants nothing more of us."""
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
    header = b"".join(number.to_bytes(4, "little") for number in (status, len(body), 0, 0))
    write_all(header + body)
