"""Print a session as it happens: the dialogue, the interactions, and the end."""

from collections.abc import Callable
from pathlib import Path
from random import Random

from tatc.commands.text.outcome_text import outcome_lines
from tatc.follower import Follower, UnderstandingFollower
from tatc.home.actions import INTERACTION_VERBS, MOTION_VERBS, Role, Verb
from tatc.home.state import ShortNames
from tatc.session.records import Record
from tatc.session.session_types import SessionEvent
from tatc.session.start import SessionStart
from tatc.session.transcript import (
    format_goal_conditions,
    format_line,
    format_title,
    format_unmet_steps,
)

HOW_TO_TYPE = (
    "You are the Commander. Say in your own words what to do; you can also correct the Follower\n"
    "while it acts. ? checks what is done, Ctrl-D ends the session."
)
_MAX_MOTIONS_IN_LINE = 8
_SPEAKER_NAMES = {Role.COMMANDER: "Commander", Role.FOLLOWER: "Follower"}


class SessionNarrator:
    """Prints a session line by line through `print_line`."""

    def __init__(
        self, print_line: Callable[[str], None], *, quiet: bool, for_commander: bool = False
    ) -> None:
        """With `quiet`, only the end is printed; `for_commander` tells more to a person who plays.

        That is how to play, and motions too.
        """
        self._print_line = print_line
        self._quiet, self._for_commander = quiet, for_commander
        self._goal_words: Callable[[], tuple[str, ...]] = tuple
        self._told_goal: tuple[str, ...] = ()
        self._motions: list[str] = []
        self._names: ShortNames | None = None
        self._shorten: Callable[[str], str] = str

    def narrate_start(self, opening: SessionStart) -> None:
        """Print the task and the place; short names are those of its start from now on."""
        self._names = ShortNames(opening.scene.start)
        self._shorten = self._names.shorten
        task, place = opening.task, opening.scene.place
        title = format_title(task.name, task.params, place, opening.game_id, opening.seed)
        self._print_unless_quiet(f"{title}\n")
        if self._for_commander:
            from tatc.commander.speaker.wordings import request_for

            description = task.check(opening.scene.start).description
            example = request_for(task, Random(opening.seed)).words
            self._print_unless_quiet(f"Your task: {description}\n{HOW_TO_TYPE}")
            self._print_unless_quiet(f"You could say: {example}\n")

    def watch_follower(self, follower: Follower) -> None:
        """Tell from now on what the Follower takes its goal to be, if it can say so."""
        if isinstance(follower, UnderstandingFollower):
            self._goal_words = follower.goal_words

    def narrate_event(self, event: SessionEvent) -> None:
        """Print one logged action: an utterance, an interaction, or a failure."""
        done, result = event.interaction, event.result
        if done.role is Role.FOLLOWER:
            self._narrate_goal()
        if self._for_commander and done.verb in MOTION_VERBS and done.success:
            self._add_motion(done.verb)
            return
        self._print_motions()
        if done.verb is Verb.TEXT:
            self._print_speaker_line(_SPEAKER_NAMES[done.role], self._shorten(done.text))
        elif event.progress is not None:
            met = event.progress.goal_conditions_satisfied
            total = event.progress.goal_conditions_total
            self._print_speaker_line("", f"[{format_goal_conditions(met, total)} met]")
            if self._for_commander and self._names is not None:
                for line in format_unmet_steps(event.progress, self._names):
                    self._print_speaker_line("", line.strip())
        elif result is not None and not result.success:
            self._print_speaker_line("", self._shorten(f"x {done.verb}: {result.message}"))
        elif done.verb in INTERACTION_VERBS:
            self._print_speaker_line("", self._shorten(f"+ {done.verb} {done.object_id}"))

    def _narrate_goal(self) -> None:
        """Print what the Follower understood, where that has changed."""
        words = self._goal_words()
        if words != self._told_goal:
            self._print_motions()
            self._told_goal = words
            self._print_speaker_line("", f"[understood: {'; '.join(words) or 'nothing'}]")

    def _add_motion(self, verb: Verb) -> None:
        self._motions.append(verb.value.replace(" ", ""))
        if len(self._motions) == _MAX_MOTIONS_IN_LINE:
            self._print_motions()

    def _print_motions(self) -> None:
        if self._motions:
            self._print_speaker_line("", f"+ {' '.join(self._motions)}")
            self._motions.clear()

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
