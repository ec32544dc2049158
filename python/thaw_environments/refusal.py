"""What cannot be bridged, and what to do about it."""

import sys


class Refusal(Exception):
    """What was asked for cannot be bridged. `remedy` says what to do about it."""

    def __init__(self, found, expected, remedy, key="environment"):
        super().__init__(found)
        self.told = {"key": key, "found": found, "expected": expected, "remedy": remedy}


def install(packages):
    return f"Install it: {sys.executable} -m pip install {packages}"
