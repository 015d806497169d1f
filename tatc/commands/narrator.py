"""Tell a session as it happens: who says what, how it is done, how it ends."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tatc.actions import INTERACTIONS, Role, Verb
from tatc.telling import effort, goals, titled, told, verdict

if TYPE_CHECKING:
    from tatc.opening import Opening
    from tatc.session import Event, SessionResult

_NAMES = {Role.COMMANDER: "Commander", Role.FOLLOWER: "Follower"}


class Narrator:
    """Prints a session line by line through `say`."""

    def __init__(self, say: Callable[[str], None], *, quiet: bool) -> None:
        """With `quiet`, only the ending is told."""
        self._say = say
        self._quiet = quiet

    def open(self, opening: "Opening") -> None:
        """Tell what is about to start."""
        task, place = opening.task, opening.scene.place
        title = titled(task.name, task.params, place, opening.game, opening.seed)
        self._tell(f"{title}\n")

    def tell(self, event: "Event") -> None:
        """Tell one logged action: words in full, interactions, and failures."""
        done, result = event.done, event.result
        if done.verb is Verb.TEXT:
            self._line(_NAMES[done.role], done.text)
        elif event.progress is not None:
            met = event.progress.goal_conditions_satisfied
            total = event.progress.goal_conditions_total
            self._line("", f"[{goals(met, total)} met]")
        elif result is not None and not result.success:
            self._line("", f"x {done.verb}: {result.message}")
        elif done.verb in INTERACTIONS:
            self._line("", f"+ {done.verb} {done.object_id}")

    def close(self, result: "SessionResult", path: Path | None) -> None:
        """Tell how it ended and where the record is."""
        done = result.progress
        met, total = done.goal_conditions_satisfied, done.goal_conditions_total
        ours, theirs = result.actions(Role.COMMANDER), result.actions(Role.FOLLOWER)
        self._tell("")
        self._say(verdict(result.success, result.end, met, total))
        self._say(effort(ours, theirs, result.failures))
        if path is not None:
            self._say(f"Record: {path}")

    def _line(self, who: str, text: str) -> None:
        self._tell(told(who, text))

    def _tell(self, text: str) -> None:
        if not self._quiet:
            self._say(text)
