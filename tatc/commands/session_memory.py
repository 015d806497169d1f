"""The memory of a session: which names its Follower knows, and what it learns from the session."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tatc.base.errors import BadInput
from tatc.commands.options.shared_options import agents_field
from tatc.commands.text.output import remark

if TYPE_CHECKING:
    from tatc.follower import Follower
    from tatc.session.session_types import SessionResult


@dataclass(frozen=True, slots=True)
class SessionMemoryOptions:
    """Whether a session is remembered."""

    remember: str | None = agents_field(
        None,
        metavar="NAME",
        help="When the session was right, add what was said and understood to --goals under this "
        "name. Without it, a name that the dialogue gives, such as `call it the Larry sandwich`.",
    )

    def session_memory(self, path: Path | None) -> "SessionMemory":
        """Return what remembers the session in the memory at a path; None for none."""
        if path is None:
            if self.remember is not None:
                raise BadInput("there is no file to remember in", fix="name one with --goals")
            return SessionMemory(None, None)
        from tatc.base.json_fields import FieldError
        from tatc.language.understanding.named_goals import check_name, read_goals

        read_goals(path)
        if self.remember is not None:
            try:
                check_name(self.remember)
            except FieldError as fault:
                raise BadInput(fault.why, where="--remember", fix="name another") from fault
        return SessionMemory(path, self.remember)


class SessionMemory:
    """Remembers a session that was right: one that succeeded, or that the Commander closed."""

    def __init__(self, path: Path | None, name: str | None) -> None:
        """Remember at a path, under a name or the one that the dialogue gives; None: nowhere."""
        self._path, self._name = path, name
        self._follower: Follower | None = None

    def watch_follower(self, follower: "Follower") -> None:
        """Take the Follower whose session it is."""
        self._follower = follower

    def remember(self, result: "SessionResult") -> dict[str, str | None]:
        """Add the session to the memory; return its name as JSON has it, empty without a memory.

        Raises:
            OutputError: the file cannot be written.

        """
        if self._path is None:
            return {}
        from tatc.follower.listener.follower import ListenerFollower
        from tatc.language.understanding.named_goals import read_goals, write_goals

        if not isinstance(self._follower, ListenerFollower):
            return {}
        heard = self._follower.heard
        entry = heard.memory_entry(self._name)
        if entry is None or not (result.success or heard.closes):
            if self._name is not None:
                lacking = "goal" if entry is None else "success, and nobody called it right"
                remark(f"not remembered: the session had no {lacking}")
            return {"remembered": None}
        write_goals(read_goals(self._path).remember(entry), self._path)
        remark(f"remembered: {entry.name}")
        return {"remembered": entry.name}
