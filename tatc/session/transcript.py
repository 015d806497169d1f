"""A session in words: its title, who says and does what, how it ends.

`tatc run` prints these lines as the session goes on, `tatc replay` from a record, and
`tatc export` writes them as a transcript.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from tatc.base.plain_text import counted
from tatc.commander.oracle import PDDL_POLICY
from tatc.home.actions import ActionType, Verb
from tatc.session.records.record import RecordedDecision

if TYPE_CHECKING:
    from tatc.home.state import ShortNames
    from tatc.session.records import Interaction
    from tatc.tdl import Progress, Task

_SPEAKER_COLUMN_WIDTH = 11
_MAX_TITLE_PARAMS = 3  # more are left out of a short title


def format_title(task: str, params: Sequence[str], place: str, game: str | None, seed: int) -> str:
    """Return the first line of a session's story."""
    given = f" ({', '.join(params)})" if params else ""
    start = f"game {game}" if game else f"seed {seed}"
    return f"{task}{given} in {place}, {start}"


def short_task_title(task: "Task") -> str:
    """Return a task's name, with its parameters where they are few: "Plate Of Toast (2)"."""
    few = 0 < len(task.params) <= _MAX_TITLE_PARAMS
    return f"{task.name} ({', '.join(task.params)})" if few else task.name


def format_line(who: str, text: str) -> str:
    """Return a line of the story: who, in a column of its own, and what."""
    return f"{who:<{_SPEAKER_COLUMN_WIDTH}}{text}"


def format_interactions(
    steps: "Iterable[tuple[Interaction, Sequence[str]]]", names: "ShortNames"
) -> Iterator[str]:
    """Yield the lines of interactions and their remarks; motions that succeeded share a line."""
    return map(names.shorten, _interaction_lines(steps))


def _interaction_lines(steps: "Iterable[tuple[Interaction, Sequence[str]]]") -> Iterator[str]:
    walk: list[str] = []
    for done, remarks in steps:
        walked = done.type is ActionType.MOTION and done.success
        if walked:
            walk.append(done.verb.value.replace(" ", ""))
        if walk and (remarks or not walked):
            yield format_line("", f"+ {' '.join(walk)}")
            walk.clear()
        if not walked:
            yield _format_interaction(done)
        yield from (format_line("", text) for text in remarks)
    if walk:
        yield format_line("", f"+ {' '.join(walk)}")


def _format_interaction(interaction: "Interaction") -> str:
    if interaction.verb is Verb.TEXT:
        return format_line(interaction.role.name.capitalize(), interaction.text)
    if interaction.verb is Verb.OPEN_PROGRESS_CHECK:
        return format_line("", format_progress_check(interaction.success))
    click = f" at {interaction.click.x:g} {interaction.click.y:g}" if interaction.click else ""
    obj = f" {interaction.object_id}" if interaction.object_id else ""
    words = f" {interaction.text}" if interaction.text else ""
    mark = "+" if interaction.success else "x"
    return format_line("", f"{mark} {interaction.verb.value}{obj}{words}{click}")


def format_goal_conditions(met: int, total: int) -> str:
    """Return how many goal conditions are met, never more than there are."""
    return f"{min(met, total)} of {total} goal conditions"


def format_progress_check(is_done: bool | None, counts: str = "") -> str:
    """Return the result of a progress check, with the goal conditions where they are known."""
    if is_done is None:
        return "[progress check: there is no task, so nothing to check]"
    counts = f", {counts} met" if counts else ""
    return f"[progress check: {'' if is_done else 'not '}done{counts}]"


def format_ending(success: bool, end: str, met: int, total: int) -> str:
    """Return how a session ended and how much of its task was done."""
    if not total:
        return "Free play has ended"
    what = "Success" if success else f"No success ({end.replace('_', ' ')})"
    return f"{what}: {format_goal_conditions(met, total)}"


def format_unmet_steps(progress: "Progress", names: "ShortNames") -> Iterator[str]:
    """Yield what the task still lacks, in the words of its definition."""
    for subgoal in progress.subgoals:
        yield from (
            f"  not met: {step.text} ({names.name_of(step.object_id)})"
            for step in subgoal.steps
            if not step.success
        )


def format_action_counts(commander: int, follower: int, failed: int) -> str:
    """Return how many actions a session took."""
    told = counted(commander, "action"), counted(follower, "action")
    return f"Commander {told[0]}, Follower {told[1]}, {failed} failed"


@dataclass(frozen=True, slots=True)
class PlannerSummary:
    """Stretches by who planned them, and where PDDL first took the place of policies.

    `first_fallback_step` is the step of that utterance as the debugger counts steps, from 1; None
    where PDDL never did so.  `first_fallback_reason` says why in plain English.
    """

    policy_stretches: int
    pddl_stretches: int
    first_fallback_step: int | None
    first_fallback_reason: str

    @staticmethod
    def of(decisions: Sequence[RecordedDecision]) -> "PlannerSummary":
        """Return the summary of a session's decisions."""
        planned = [each.policy == PDDL_POLICY for each in decisions if each.policy]
        first = next((each for each in decisions if each.fallback_reason), None)
        return PlannerSummary(
            policy_stretches=planned.count(False),
            pddl_stretches=planned.count(True),
            first_fallback_step=None if first is None else first.step + 1,
            first_fallback_reason="" if first is None else first.fallback_reason,
        )

    def __str__(self) -> str:
        """Read as "policies: 3 stretches, PDDL: 9 (first at step 4: why)"."""
        unit = "stretch" if self.policy_stretches == 1 else "stretches"
        line = f"policies: {self.policy_stretches} {unit}, PDDL: {self.pddl_stretches}"
        if self.first_fallback_step is None:
            return line
        return f"{line} (first at step {self.first_fallback_step}: {self.first_fallback_reason})"

    def to_json(self) -> dict[str, object]:
        """Return the summary as JSON."""
        return asdict(self)
