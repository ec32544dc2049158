"""Starts the process, by `python thaw_environments`."""

import ctypes
import faulthandler
import json
import os
import signal
import sys

# A folder that is run is where modules are looked for first. Beside this package and not in it: an environment may
# have a module that is called like one of ours.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from thaw_environments.protocol import ERROR, answer  # noqa: E402
from thaw_environments.refusal import Refusal, install  # noqa: E402


def main():
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: who started us is gone, and so are we.
    faulthandler.enable()
    faulthandler.register(signal.SIGALRM, all_threads=True, chain=True)
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    try:
        import numpy  # noqa: F401
    except ModuleNotFoundError:
        refusal = Refusal("a Python without numpy", "numpy", install("numpy"))
        answer(ERROR, json.dumps({"refusal": refusal.told}).encode())
        return
    from thaw_environments.serving import Server

    Server().run()


if __name__ == "__main__":
    main()
