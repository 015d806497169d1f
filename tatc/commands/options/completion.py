"""What a shell completes: names of tasks, rooms and agents.

A shell waits for the answer at each press of the key, so these list folders and tables
and import nothing of the world.
"""

from collections.abc import Iterable
from pathlib import Path

_PACKAGE = Path(__file__).parents[2]
_SHIPPED_TASKS, _SHIPPED_ROOMS = _PACKAGE / "tdl" / "tasks", _PACKAGE / "sim" / "rooms" / "data"


def complete_task(incomplete: str) -> list[str]:
    """Return the shipped tasks that begin so, with dashes for spaces: `clean-all-x`."""
    names = (path.stem.replace("_", "-") for path in _SHIPPED_TASKS.glob("*.json"))
    return _beginning_with(incomplete, names)


def complete_room(incomplete: str) -> list[str]:
    """Return the shipped rooms and the user's own that begin so."""
    from platformdirs import user_data_path

    folders = (_SHIPPED_ROOMS, user_data_path("tatc") / "rooms")
    return _beginning_with(incomplete, (p.stem for f in folders for p in f.glob("*.json")))


def complete_commander(incomplete: str) -> list[str]:
    """Return the installed Commanders that begin so."""
    from tatc.session.agents.agent_names import commander_names

    return _beginning_with(incomplete, commander_names())


def complete_follower(incomplete: str) -> list[str]:
    """Return the installed Followers that begin so."""
    from tatc.session.agents.agent_names import follower_names

    return _beginning_with(incomplete, follower_names())


def _beginning_with(incomplete: str, names: Iterable[str]) -> list[str]:
    return sorted(name for name in names if name.startswith(incomplete.lower()))
