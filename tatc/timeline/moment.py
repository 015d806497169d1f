"""One moment of a session: what was done last, and how things stand after it."""

from dataclasses import dataclass

from tatc.actions import INTERACTION_VERBS, MOTION_VERBS, ActionResult, Role, Verb
from tatc.records import Interaction, RecordedDecision
from tatc.state import Snapshot
from tatc.tdl import Progress, Task

_PRIMITIVES = frozenset(MOTION_VERBS + INTERACTION_VERBS)
_SPEAKING_VERBS = frozenset((Verb.TEXT, Verb.SPEECH))


@dataclass(frozen=True, slots=True)
class Moment:
    """How things stand after an interaction.

    Moment 0 is the start and has no interaction; moment i comes after the session's
    interaction i - 1, and the state before it is that of moment i - 1.  `decision` is
    the Commander's last, and so the reason for what goes on; None before the first and
    where people played.  `result` is the world's answer to a motion or an object
    interaction.  `divergence` says how that answer differs from what the record says came
    of it, "" where it does not; `by_hand` marks what was done in an agent's place.
    """

    index: int
    interaction: Interaction | None
    snapshot: Snapshot
    progress: Progress
    decision: RecordedDecision | None = None
    result: ActionResult | None = None
    divergence: str = ""
    by_hand: bool = False

    @property
    def is_primitive(self) -> bool:
        """Whether the Follower acted: a motion or an object interaction."""
        done = self.interaction
        return done is not None and done.role is Role.FOLLOWER and done.verb in _PRIMITIVES

    @property
    def failed(self) -> bool:
        """Whether it is a primitive that was refused."""
        done = self.interaction
        return done is not None and self.is_primitive and not done.success

    @property
    def utterance(self) -> str | None:
        """The words that were said, None where nothing was."""
        done = self.interaction
        return done.text if done is not None and done.verb in _SPEAKING_VERBS else None


class ProgressChecker:
    """Checks a task after each step, and only where an object has changed."""

    def __init__(self, task: Task) -> None:
        """Check this task."""
        self._task = task
        self._last: tuple[Snapshot, Progress] | None = None

    def check(self, snapshot: Snapshot) -> Progress:
        """Return how far the task is done."""
        if self._last is not None:
            before, progress = self._last
            if have_same_objects(before, snapshot):
                return progress
        progress = self._task.check(snapshot)
        self._last = snapshot, progress
        return progress


def have_same_objects(one: Snapshot, other: Snapshot) -> bool:
    """Whether two snapshots of one session share all their objects."""
    a, b = one.objects, other.objects
    return len(a) == len(b) and all(x is y for x, y in zip(a, b, strict=True))


def progress_change(before: Moment, after: Moment) -> int:
    """Return how many goal conditions more are met at the later moment."""
    one, other = before.progress, after.progress
    return other.goal_conditions_satisfied - one.goal_conditions_satisfied
