"""Environments by their names: modules are imported, and what is missing is named."""

import importlib
import importlib.util
import re
import sys

from .refusal import Refusal, install


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
        raise lacking(module, missing, own) from error
    except ImportError as error:
        raise Refusal(f"{module}, which cannot be imported: {error}", "a module that can be", "See the message.") from error


def lacking(name, missing, more=""):
    return Refusal(
        f"{name}, for which Python lacks the package {missing}",
        f"a module that {sys.executable} can import",
        install(PACKAGES.get(missing, missing)) + more,
    )


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
    except ModuleNotFoundError as error:
        # Gymnasium puts a sentence of its own around it.
        missing = (getattr(error.__cause__, "name", None) or error.name or "").split(".")[0]
        if not missing:
            raise
        raise lacking(name, missing) from error
    except gymnasium.error.DependencyNotInstalled as error:
        raise Refusal(f"{name}, which lacks a package: {error}", "its packages", "Install what it names.") from error
    except (gymnasium.error.UnregisteredEnv, gymnasium.error.VersionNotFound) as error:
        known = [other for other in gymnasium.registry if other.split("-v")[0] == name.split("-v")[0]]
        hint = f"Write {known[-1]}." if known else "Write it as gymnasium.make takes it; MODULE:ID imports MODULE before."
        registrar = REGISTRARS.get(name.split("/")[0])
        if registrar and not known:
            hint = f"Write {registrar}:{name}: {registrar} registers it when it is imported."
        raise Refusal(f"{name}: {error}", "a registered environment", hint) from error
    return environment


# Who registers the ids of a namespace.
REGISTRARS = {"dm_control": "shimmy", "ALE": "ale_py"}

MAKERS = {"pettingzoo": make_parallel, "gymnasium": make_single}
