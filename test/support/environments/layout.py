"""An environment whose module is called like one of the program that steps it."""

from bridge_worlds import Line

__all__ = ["Line"]
