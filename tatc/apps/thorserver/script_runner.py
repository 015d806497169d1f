"""Runs another's script with its AI2-THOR replaced by tatc's world.

`tatc thor-server run` starts this file with the interpreter that has the script's `ai2thor`, which
may be older than tatc's own.  So it imports nothing of tatc, and keeps to what Python 3.6 can read.

    TATC_THOR_EXECUTABLE=COMMAND PYTHON script_runner.py SCRIPT [ARGS]
"""

import functools
import os
import runpy
import sys
from importlib import import_module
from inspect import signature
from typing import Any

EXECUTABLE_VARIABLE = "TATC_THOR_EXECUTABLE"
"""The environment variable with the command that starts tatc's world."""
FALLBACK_DISPLAY = "0"  # the display to name where there is none; nobody opens it


def use_executable(controller_class: Any, executable: str) -> None:
    """Let every Controller start this executable, whatever its caller asked for."""
    if "local_executable_path" in signature(controller_class.__init__).parameters:
        _set_start_arguments(controller_class, executable)
    else:  # before 2.5
        controller_class.executable_path = _returning(executable)
        for name in ("download_binary", "lock_release", "prune_releases"):
            setattr(controller_class, name, _returning())
    controller_class.check_x_display = _returning()
    if hasattr(controller_class, "scenes_in_build"):
        controller_class.reset = _refusing_in_words(controller_class.reset)


def _set_start_arguments(controller_class: Any, executable: str) -> None:
    start = controller_class.__init__

    @functools.wraps(start)
    def start_executable(*args: Any, **kwargs: Any) -> None:
        kwargs["local_executable_path"] = executable
        if not kwargs.get("x_display") and "DISPLAY" not in os.environ:
            kwargs["x_display"] = FALLBACK_DISPLAY
        start(*args, **kwargs)

    controller_class.__init__ = start_executable


def _refusing_in_words(reset: Any) -> Any:
    """Return a `reset` that says which scene is not served: clients of 2.5 to 3 fail to say so."""

    @functools.wraps(reset)
    def reset_or_refuse(controller: Any, scene: Any = None, **kwargs: Any) -> Any:
        try:
            return reset(controller, scene, **kwargs)
        except (AttributeError, TypeError) as fault:
            name = scene if isinstance(scene, str) else "(a house)"
            if scene is None or {name, name + "_physics"} & controller.scenes_in_build:
                raise
            why = f"Scene {name} not contained in build: GetScenesInBuild lists all"
            raise ValueError(why) from fault

    return reset_or_refuse


def _returning(value: Any = None) -> Any:
    def method(*_: Any) -> Any:
        return value

    return method


def main() -> None:
    """Run the script that the command line names."""
    del sys.argv[0]
    # What Python put there is this file's folder; the script may import what is beside it.
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    use_executable(import_module("ai2thor.controller").Controller, os.environ[EXECUTABLE_VARIABLE])
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
