"""What an agent raises, as one error that names the agent, the fault, file and line."""

import sysconfig
import traceback
from collections.abc import Generator
from contextlib import contextmanager

from tatc.base.code_identity import PACKAGE_FOLDER
from tatc.base.errors import AgentCrash, TatcError
from tatc.home.actions import Role

_PACKAGE_FOLDER = str(PACKAGE_FOLDER)


@contextmanager
def crashes_blamed_on(role: Role) -> Generator[None]:
    """Turn what the block raises into an AgentCrash of this agent; tatc's own errors stay."""
    try:
        yield
    except TatcError:
        raise
    except Exception as fault:  # whatever an agent may raise
        what = f"the {role.name.capitalize()} crashed: {_name_error(fault)}"
        raise AgentCrash(what, where=crash_place(fault)) from fault


def describe_crash(fault: Exception) -> str:
    """Return an error and its place in one line: "IndexError: no mug (coffee.py:8)"."""
    if isinstance(fault, AgentCrash):
        fault = original_error(fault)
    if isinstance(fault, TatcError):
        return fault.one_line
    place = crash_place(fault)
    return _name_error(fault) + (f" ({place})" if place else "")


def original_error(fault: Exception) -> Exception:
    """Return what an agent raised, where an error is its crash; else the error itself."""
    cause = fault.__cause__ if isinstance(fault, AgentCrash) else None
    return cause if isinstance(cause, Exception) else fault


def crash_place(fault: Exception) -> str:
    """Return "file:line" of the innermost frame of the agent's own code, "" for none.

    Frames of the standard library are passed over, and those of tatc where others are.
    """
    frames = [
        frame
        for frame in traceback.extract_tb(fault.__traceback__)
        if not frame.filename.startswith(sysconfig.get_path("stdlib"))
    ]
    own = [frame for frame in frames if not frame.filename.startswith(_PACKAGE_FOLDER)]
    last = (own or frames)[-1:]
    return f"{last[0].filename}:{last[0].lineno}" if last else ""


def _name_error(fault: Exception) -> str:
    return " ".join(f"{type(fault).__name__}: {fault}".split())
