"""Which goal the Follower does: one that it was given, one that was edited, or what it heard."""

from collections.abc import Callable, Iterable

from tatc.follower.listener.belief import BelievedGoal, GoalSource
from tatc.follower.listener.heard_dialogue import HeardDialogue
from tatc.home.state import ObjectState
from tatc.language.understanding import Goal
from tatc.tdl import Task


class GoalChoice:
    """The goal; `task` is None while there is none."""

    def __init__(self) -> None:
        """Begin without a goal."""
        self._given: Task | None = None
        self.begin()

    def begin(self) -> None:
        """Forget all but the goal that was given: a new session starts."""
        self._edited: Goal | None = None
        self.task = self._given

    @property
    def is_fixed(self) -> bool:
        """Whether the goal was given or edited, so that words do not change it."""
        return self._given is not None or self._edited is not None

    def give(self, task: Task) -> None:
        """Take a goal as given in every session, whatever is said."""
        self._given = self.task = task

    def edit(self, goal: Goal) -> None:
        """Take a goal for the rest of the session, whatever is said."""
        self._edited, self.task = goal, goal.task

    def take_from(self, dialogue: HeardDialogue, *, newest: bool) -> None:
        """Take the goal that the words mean, unless one was given or edited.

        With `newest` it is what the newest words ask for, if they ask for anything by themselves:
        who takes over a session stops after its newest instruction.
        """
        if not self.is_fixed:
            asked = dialogue.newest_task if newest else None
            self.task = asked or dialogue.task

    def take_in_home(self, dialogue: HeardDialogue, seen: Iterable[ObjectState]) -> bool:
        """Take what the words mean in a home with what was seen; return whether that is new."""
        home = tuple(each.objectType for each in seen)
        if self.is_fixed or not dialogue.read_in_home(home):
            return False
        self.task = dialogue.task
        return True

    def take_further(self, dialogue: HeardDialogue, is_done: Callable[[Task], bool]) -> None:
        """Take what was asked for after a report, where all else is done as far as known."""
        if not self.is_fixed:
            self.task = dialogue.further_task(is_done) or self.task

    def believed(self, dialogue: HeardDialogue) -> BelievedGoal | None:
        """Return the goal with the words that it rests on, None if there is none."""
        if self.task is None:
            return None
        if self._edited is not None:
            return BelievedGoal(self.task, GoalSource.EDITED, self._edited.content)
        if self._given is not None:
            return BelievedGoal(self.task, GoalSource.GIVEN)
        understood = dialogue.understood
        goal = None if understood is None else understood.goal
        if understood is None or goal is None or goal.task is not self.task:
            return BelievedGoal(self.task, GoalSource.UNDERSTOOD)
        return BelievedGoal(
            self.task,
            GoalSource.UNDERSTOOD,
            goal.content,
            understood.evidence,
            understood.confidence,
        )
