"""Tell a session as it happens: who says what, how it is done, how it ends."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tatc.actions import INTERACTIONS, Role, Verb

if TYPE_CHECKING:
    from tatc.opening import Opening
    from tatc.session import Event, SessionResult

_NAMES = {Role.COMMANDER: "Commander", Role.FOLLOWER: "Follower"}
_MARGIN = 11


class Narrator:
    """Prints a session line by line through `say`."""

    def __init__(self, say: Callable[[str], None], *, quiet: bool) -> None:
        """With `quiet`, only the ending is told."""
        self._say = say
        self._quiet = quiet

    def open(self, opening: "Opening") -> None:
        """Tell what is about to start."""
        task = opening.task
        params = f" ({', '.join(task.params)})" if task.params else ""
        what = f"{task.name}{params} in {opening.scene.place}"
        start = f"game {opening.game}" if opening.game else f"seed {opening.seed}"
        self._tell(f"{what}, {start}\n")

    def tell(self, event: "Event") -> None:
        """Tell one logged action: words in full, interactions, and failures."""
        done, result = event.done, event.result
        if done.verb is Verb.TEXT:
            self._line(_NAMES[done.role], done.text)
        elif event.progress is not None:
            met = event.progress.goal_conditions_satisfied
            total = event.progress.goal_conditions_total
            self._line("", f"[{min(met, total)} of {total} goal conditions met]")
        elif result is not None and not result.success:
            self._line("", f"x {done.verb}: {result.message}")
        elif done.verb in INTERACTIONS:
            self._line("", f"+ {done.verb} {done.object_id}")

    def close(self, result: "SessionResult", path: Path | None) -> None:
        """Tell how it ended and where the record is."""
        progress = result.progress
        total = progress.goal_conditions_total
        met = min(progress.goal_conditions_satisfied, total)
        ours, theirs = result.actions(Role.COMMANDER), result.actions(Role.FOLLOWER)
        self._tell("")
        ending = str(result.end).replace("_", " ")
        verdict = "Success" if result.success else f"No success ({ending})"
        self._say(f"{verdict}: {met} of {total} goal conditions")
        self._say(
            f"Commander {ours} actions, Follower {theirs} actions, "
            f"{result.failures} failed"
        )
        if path is not None:
            self._say(f"Record: {path}")

    def _line(self, who: str, text: str) -> None:
        self._tell(f"{who:<{_MARGIN}}{text}")

    def _tell(self, text: str) -> None:
        if not self._quiet:
            self._say(text)
