"""Print a session as it happens: the dialogue, the interactions, and the end."""

from collections.abc import Callable
from pathlib import Path

from tatc.actions import INTERACTION_VERBS, Role, Verb
from tatc.commands.session_outcome import outcome_lines
from tatc.records import Record
from tatc.session import SessionEvent
from tatc.session.start import SessionStart
from tatc.session.transcript import format_goal_conditions, format_line, format_title
from tatc.short_names import ShortNames

_SPEAKER_NAMES = {Role.COMMANDER: "Commander", Role.FOLLOWER: "Follower"}


class SessionNarrator:
    """Prints a session line by line through `print_line`."""

    def __init__(self, print_line: Callable[[str], None], *, quiet: bool) -> None:
        """With `quiet`, only the end is printed."""
        self._print_line = print_line
        self._quiet = quiet
        self._shorten: Callable[[str], str] = str

    def narrate_start(self, opening: SessionStart) -> None:
        """Print the task and the place; short names are those of its start from now on."""
        self._shorten = ShortNames(opening.scene.start).shorten
        task, place = opening.task, opening.scene.place
        title = format_title(task.name, task.params, place, opening.game_id, opening.seed)
        self._print_unless_quiet(f"{title}\n")

    def narrate_event(self, event: SessionEvent) -> None:
        """Print one logged action: an utterance, an interaction, or a failure."""
        done, result = event.interaction, event.result
        if done.verb is Verb.TEXT:
            self._print_speaker_line(_SPEAKER_NAMES[done.role], self._shorten(done.text))
        elif event.progress is not None:
            met = event.progress.goal_conditions_satisfied
            total = event.progress.goal_conditions_total
            self._print_speaker_line("", f"[{format_goal_conditions(met, total)} met]")
        elif result is not None and not result.success:
            self._print_speaker_line("", self._shorten(f"x {done.verb}: {result.message}"))
        elif done.verb in INTERACTION_VERBS:
            self._print_speaker_line("", self._shorten(f"+ {done.verb} {done.object_id}"))

    def narrate_end(self, record: Record, path: Path | None) -> None:
        """Print how the session ended, who planned it, and where its record is."""
        self._print_unless_quiet("")
        for line in outcome_lines(record):
            self._print_line(line)
        if path is not None:
            self._print_line(f"Record: {path}")

    def _print_speaker_line(self, who: str, text: str) -> None:
        self._print_unless_quiet(format_line(who, text))

    def _print_unless_quiet(self, text: str) -> None:
        if not self._quiet:
            self._print_line(text)
