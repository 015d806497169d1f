"""A session as plain text, in the wording of `tatc.session.transcript`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tatc.base.plain_text import printable
from tatc.home import actions, state
from tatc.session import transcript as words
from tatc.session.timeline import Moment, Timeline, progress_change


def transcript(timeline: Timeline, first: int = 0, last: int | None = None) -> str:
    """Return a session in words, from one moment to another, by default all of it.

    The first column says who speaks.  Actions are indented, `+` marks success and `x`
    failure, with the reason below.  A change of the goal conditions met is in brackets.
    """
    moments = timeline.moments[first : None if last is None else last + 1]
    return "".join(f"{printable(line)}\n" for line in _transcript_lines(timeline, moments))


def _transcript_lines(timeline: Timeline, moments: Sequence[Moment]) -> Iterator[str]:
    start, task = timeline.start, timeline.task
    yield words.format_title(task.name, task.params, start.scene.place, start.game_id, start.seed)
    yield f"Goal: {moments[0].progress.description}"
    yield ""
    names = state.ShortNames(moments[-1].snapshot)
    remarked = (
        (now.interaction, tuple(_remarks(before, now)))
        for before, now in pairwise(moments)
        if now.interaction is not None
    )
    yield from words.format_interactions(remarked, names)
    yield ""
    yield from _ending_lines(timeline, moments)


def _remarks(before: Moment, now: Moment) -> Iterator[str]:
    result = now.result
    if now.divergence:
        yield f"  (replayed, it {now.divergence})"
    elif result is not None and not result.success:
        yield f"  {result.hint or result.message}"
    if progress_change(before, now):
        progress = now.progress
        met = progress.goal_conditions_satisfied
        yield f"[{words.format_goal_conditions(met, progress.goal_conditions_total)} met]"


def _ending_lines(timeline: Timeline, moments: Sequence[Moment]) -> Iterator[str]:
    progress = moments[-1].progress
    met, total = progress.goal_conditions_satisfied, progress.goal_conditions_total
    if moments[-1] is not timeline.moments[-1]:
        yield f"So far: {words.format_goal_conditions(met, total)}"
    else:
        yield words.format_ending(progress.success, timeline.end or "people stopped", met, total)
    yield from words.format_unmet_steps(progress, state.ShortNames(moments[-1].snapshot))
    roles = Counter(moment.interaction.role for moment in moments[1:] if moment.interaction)
    commander, follower = roles[actions.Role.COMMANDER], roles[actions.Role.FOLLOWER]
    failed = sum(moment.failed for moment in moments[1:])
    yield words.format_action_counts(commander, follower, failed)
