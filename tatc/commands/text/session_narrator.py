"""Print a session as it happens: the dialogue, the interactions, and the end."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

from tatc.follower import Follower, UnderstandingFollower
from tatc.home.actions import INTERACTION_VERBS, MOTION_VERBS, Role, Verb
from tatc.home.state import ShortNames
from tatc.session import records, session_types, transcript
from tatc.session.start import SessionStart
from tatc.tdl import FREE_PLAY, Progress

HOW_TO_TYPE = (
    "You are the Commander. Say in your own words what to do; you can also correct the Follower",
    "while it acts. ? checks what is done, Ctrl-D ends the session.",
)
HOW_TO_BEGIN = "You could say: what can you do? Or: what do you see?"
_MAX_MOTIONS_IN_LINE = 40


class SessionNarrator:
    """Prints a session line by line through `print_line`."""

    def __init__(
        self, print_line: Callable[[str], None], *, quiet: bool, for_commander: bool = False
    ) -> None:
        """Print the end alone if `quiet`; `for_commander` adds how to play, and motions."""
        self._print_line = print_line
        self._quiet, self._for_commander = quiet, for_commander
        self._goal_words: Callable[[], tuple[str, ...]] = tuple
        self._belief_words: Callable[[], str] = str
        self._told_goal: tuple[str, ...] = ()
        self._motions: list[str] = []
        self._names: ShortNames | None = None
        self._shorten: Callable[[str], str] = str

    def narrate_start(self, start: SessionStart) -> None:
        """Print the task and the place; short names are those of its start from now on."""
        self._names = ShortNames(start.scene.initial)
        self._shorten = self._names.shorten
        task, place = start.task, start.scene.place
        title = transcript.format_title(task.name, task.params, place, start.game_id, start.seed)
        self._print_unless_quiet(title, "")
        if self._for_commander and start.task is FREE_PLAY:
            self._print_unless_quiet(*HOW_TO_TYPE, HOW_TO_BEGIN, "")
        elif self._for_commander:
            from tatc.commander.speaker.wordings import request_for

            description = task.check(start.scene.initial).description
            example = request_for(task, Random(start.seed)).words
            self._print_unless_quiet(f"Your task: {description}", *HOW_TO_TYPE)
            self._print_unless_quiet(f"You could say: {example}", "")

    def watch_follower(self, follower: Follower) -> None:
        """Tell from now on what the Follower takes its goal to be, if it does not say so itself."""
        converses = getattr(follower, "converses", False)
        if isinstance(follower, UnderstandingFollower) and not converses:
            self._goal_words = follower.goal_words
        self._belief_words = getattr(follower, "belief_words", str)

    def narrate_event(self, event: session_types.SessionEvent) -> None:
        """Print one logged action: an utterance, an interaction, or a failure."""
        done, result = event.interaction, event.result
        if done.role is Role.FOLLOWER:
            self._narrate_goal()
        if self._for_commander and done.verb in MOTION_VERBS and done.success:
            self._motions.append(done.verb.value.replace(" ", ""))
            if len(self._motions) == _MAX_MOTIONS_IN_LINE:
                self._print_motions()
            return
        self._print_motions()
        if done.verb is Verb.TEXT:
            self._print_speaker_line(done.role.name.title(), self._shorten(done.text))
        elif event.progress is not None:
            self._narrate_check(event.progress)
        elif result is not None and not result.success:
            self._print_speaker_line("", self._shorten(f"x {done.verb}: {result.message}"))
        elif done.verb in INTERACTION_VERBS:
            self._print_speaker_line("", self._shorten(f"+ {done.verb} {done.object_id}"))

    def _narrate_check(self, progress: Progress) -> None:
        """Print a progress check, and what the Follower believes if it says so."""
        met, total = progress.goal_conditions_satisfied, progress.goal_conditions_total
        counts = transcript.format_goal_conditions(met, total)
        is_done = progress.success if total else None
        self._print_speaker_line("", transcript.format_progress_check(is_done, counts))
        if not self._for_commander:
            return
        if belief := self._belief_words():
            self._print_speaker_line("", f"[believes: {belief}]")
        if self._names is not None:
            for line in transcript.format_unmet_steps(progress, self._names):
                self._print_speaker_line("", line.strip())

    def _narrate_goal(self) -> None:
        words = self._goal_words()
        if words != self._told_goal:
            self._print_motions()
            self._told_goal = words
            self._print_speaker_line("", f"[understood: {'; '.join(words) or 'nothing'}]")

    def _print_motions(self) -> None:
        if self._motions:
            runs = ((verb, len(list(same))) for verb, same in groupby(self._motions))
            told = ", ".join(verb if n == 1 else f"{verb} x {n}" for verb, n in runs)
            self._print_speaker_line("", f"+ {told}")
            self._motions.clear()

    def narrate_end(self, record: records.Record, path: Path | None) -> None:
        """Print how the session ended, who planned it, and where its record is."""
        self._print_unless_quiet("")
        for line in outcome_lines(record):
            self._print_line(line)
        if path is not None:
            self._print_line(f"Record: {path}")

    def _print_speaker_line(self, who: str, text: str) -> None:
        self._print_unless_quiet(transcript.format_line(who, text))

    def _print_unless_quiet(self, *lines: str) -> None:
        for line in () if self._quiet else lines:
            self._print_line(line)


# How a session ended, as `tatc run` and `tatc replay` print it.


def outcome_json(record: records.Record) -> dict[str, Any]:
    """Return a session's task, place, end and counts as JSON."""
    return {
        "task": record.task_name,
        "params": list(record.task_params),
        **({"game": record.game_id} if record.game_id else {"room": record.scene.place}),
        "seed": record.seed,
        "success": record.success,
        "end": record.end.value,
        "gc_total": record.gc_total,
        "gc_sat": record.gc_satisfied,
        "commander_actions": record.count_actions(Role.COMMANDER),
        "follower_actions": record.count_actions(Role.FOLLOWER),
        "failed_actions": record.failed_action_count,
        **_model_calls_json(record),
    }


def outcome_lines(record: records.Record, unmet_steps: Iterable[str] = ()) -> Iterator[str]:
    """Yield how a session ended, what its task still lacks, and who planned it."""
    yield transcript.format_ending(record.success, record.end, record.gc_satisfied, record.gc_total)
    yield from unmet_steps
    commander, follower = (record.count_actions(role) for role in (Role.COMMANDER, Role.FOLLOWER))
    yield transcript.format_action_counts(commander, follower, record.failed_action_count)
    yield from _model_call_lines(record)
    summary = transcript.PlannerSummary.of(record.decisions)
    if summary.policy_stretches or summary.pddl_stretches:
        yield str(summary)


def _model_calls_json(record: records.Record) -> dict[str, Any]:
    calls = record.model_calls
    if not calls:
        return {}
    last = calls[-1].why
    return {
        "model_calls": sum(each.was_sent for each in calls if not each.probe),
        "model_tokens": sum(each.tokens for each in calls if not each.probe),
    } | ({"model_fault": last} if last else {})


def _model_call_lines(record: records.Record) -> Iterator[str]:
    for role in Role:
        calls = [each for each in record.model_calls if each.role is role and not each.probe]
        if calls:
            tokens = sum(each.tokens for each in calls)
            sent = sum(each.was_sent for each in calls)
            who = f"{role.name.title()} played by {calls[-1].model}"
            yield f"{who}: {sent:,} calls, {tokens:,} tokens"
            if calls[-1].why:
                yield f"Last call: {calls[-1].why}"
