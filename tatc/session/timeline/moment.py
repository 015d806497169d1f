"""One moment of a session: an interaction, and the state after it."""

from collections.abc import Sequence
from dataclasses import dataclass

from tatc.follower.listener.belief import Belief
from tatc.home.actions import PRIMITIVE_VERBS, ActionResult, Role, Verb
from tatc.home.state import Snapshot
from tatc.session.records import Interaction, RecordedDecision
from tatc.tdl import Progress, Task

_SPEAKING_VERBS = frozenset((Verb.TEXT, Verb.SPEECH))


@dataclass(frozen=True, slots=True)
class Moment:
    """The state after an interaction.

    Moment 0 is the start and has no interaction.  Moment i comes after the session's
    interaction i - 1; the state before that is moment i - 1.  `decision` is the
    Commander's last one, and so the reason for what happens; None before the first one
    and for games that people played.  `result` is the world's answer to a motion or an
    object interaction.  `divergence` says how that answer differs from the record, "" if
    it does not.  `by_hand` marks an action taken in an agent's place.  `belief` is what the
    Follower believed as it acted from here: it has seen this state and heard all before it.
    None where it has not acted from here, and for one that has no belief to show.
    """

    index: int
    interaction: Interaction | None
    snapshot: Snapshot
    progress: Progress
    decision: RecordedDecision | None = None
    result: ActionResult | None = None
    divergence: str = ""
    by_hand: bool = False
    belief: Belief | None = None

    @property
    def is_primitive(self) -> bool:
        """Whether the Follower acted: a motion or an object interaction."""
        done = self.interaction
        return done is not None and done.role is Role.FOLLOWER and done.verb in PRIMITIVE_VERBS

    @property
    def failed(self) -> bool:
        """Whether the Follower tried a primitive that failed."""
        done = self.interaction
        return done is not None and self.is_primitive and not done.success

    @property
    def utterance(self) -> str | None:
        """The words that were said, None if the moment is no utterance."""
        done = self.interaction
        return done.text if done is not None and done.verb in _SPEAKING_VERBS else None


class ProgressChecker:
    """Checks a task's progress, again only when an object has changed."""

    def __init__(self, task: Task) -> None:
        """Check this task."""
        self._task = task
        self._last: tuple[Snapshot, Progress] | None = None

    def check(self, snapshot: Snapshot) -> Progress:
        """Return the progress of the task."""
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


def last_belief(moments: Sequence[Moment], at: int) -> tuple[int, Belief] | None:
    """Return the last belief up to a moment, and the moment at which it was held."""
    for index in range(at, -1, -1):
        belief = moments[index].belief
        if belief is not None:
            return index, belief
    return None


def progress_change(before: Moment, after: Moment) -> int:
    """Return by how many the goal conditions met have changed, negative for a loss."""
    one, other = before.progress, after.progress
    return other.goal_conditions_satisfied - one.goal_conditions_satisfied
