"""A session told in words: its title, who says and does what, how it ends.

One wording for all who tell: `tatc run` as it happens, `tatc replay` from a record,
and the transcript of `tatc export`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tatc.actions import ActionType, Verb

if TYPE_CHECKING:
    from tatc.records import Interaction
    from tatc.tdl import Progress

_MARGIN = 11


def titled(
    task: str, params: Sequence[str], place: str, game: str | None, seed: int
) -> str:
    """Return the first line of a session's story."""
    given = f" ({', '.join(params)})" if params else ""
    start = f"game {game}" if game else f"seed {seed}"
    return f"{task}{given} in {place}, {start}"


def told(who: str, text: str) -> str:
    """Return a line of the story: who, in a column of its own, and what."""
    return f"{who:<{_MARGIN}}{text}"


def deeds(steps: "Iterable[tuple[Interaction, Sequence[str]]]") -> Iterator[str]:
    """Tell what was said and done, in order, each with remarks on what came of it.

    Motions that worked share a line until something else, or a remark, ends it.
    """
    walk: list[str] = []
    for done, remarks in steps:
        walked = done.type is ActionType.MOTION and done.success
        if walked:
            walk.append(done.verb.value.replace(" ", ""))
        if walk and (remarks or not walked):
            yield told("", f"+ {' '.join(walk)}")
            walk.clear()
        if not walked:
            yield _deed(done)
        yield from (told("", text) for text in remarks)
    if walk:
        yield told("", f"+ {' '.join(walk)}")


def _deed(done: "Interaction") -> str:
    if done.verb is Verb.TEXT:
        return told(done.role.name.capitalize(), done.text)
    if done.verb is Verb.OPEN_PROGRESS_CHECK:
        return told("", f"[progress check: {'' if done.success else 'not '}done]")
    click = f" at {done.click.x:g} {done.click.y:g}" if done.click else ""
    thing = f" {done.object_id}" if done.object_id else ""
    words = f" {done.text}" if done.text else ""
    mark = "+" if done.success else "x"
    return told("", f"{mark} {done.verb.value}{thing}{words}{click}")


def goals(met: int, total: int) -> str:
    """Return how many goal conditions are met, never more than there are."""
    return f"{min(met, total)} of {total} goal conditions"


def verdict(success: bool, end: str, met: int, total: int) -> str:
    """Return how a session ended and how much of its task was done."""
    what = "Success" if success else f"No success ({end.replace('_', ' ')})"
    return f"{what}: {goals(met, total)}"


def unmet(progress: "Progress") -> Iterator[str]:
    """Say what of the task is missing, in its own words."""
    for subgoal in progress.subgoals:
        yield from (
            f"  not met: {step.text} ({step.object_id})"
            for step in subgoal.steps
            if not step.success
        )


def effort(commander: int, follower: int, failed: int) -> str:
    """Return how many actions a session took."""
    return (
        f"Commander {commander} actions, Follower {follower} actions, {failed} failed"
    )
