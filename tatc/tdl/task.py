"""A task that is compiled once and can then be checked in any number of snapshots."""

from collections.abc import Callable
from functools import partial
from typing import Any

from tatc.home.state import Snapshot
from tatc.tdl.check_tree import compile_check_tree
from tatc.tdl.definition import TaskDefinition
from tatc.tdl.matching import CheckContext
from tatc.tdl.preconditions import Requirement, requirements_of
from tatc.tdl.progress import Progress, Subgoal
from tatc.tdl.subgoals import subgoals_of
from tatc.tdl.task_json import game_task_json


class Task:
    """An expanded definition and the check tree compiled from it; has no state."""

    __slots__ = ("_check_tree", "_requirements", "definition")

    def __init__(self, definition: TaskDefinition) -> None:
        """Compile an expanded definition.

        Raises:
            ParameterError: a macro was filled with a value that is not allowed in its place.

        """
        self.definition = definition
        self._check_tree = compile_check_tree(definition)
        self._requirements: tuple[Requirement, ...] = requirements_of(definition)

    @property
    def name(self) -> str:
        """The definition's name."""
        return self.definition.name

    @property
    def params(self) -> tuple[str, ...]:
        """The values of the parameters, in order."""
        return self.definition.params or ()

    def check(self, snapshot: Snapshot, *, nearest_first: bool = False) -> Progress:
        """Return how far the task is done in a snapshot.

        If several objects meet equally many conditions, the first in the snapshot is the one
        to change, as when TEACh scores a recorded state.  With `nearest_first` it is the one
        nearest to the Follower, as in TEACh's running sessions.
        """
        origin = snapshot.follower.position if nearest_first else None
        outcome = self._check_tree.check(CheckContext(snapshot, origin))
        make_subgoals: Callable[[], tuple[Subgoal, ...]] = partial(subgoals_of, outcome, snapshot)
        anchored = outcome.anchor_outcome
        return Progress(
            outcome.success,
            outcome.total,
            outcome.met,
            self.definition.description,
            None if anchored is None else tuple(anchored.satisfied),
            None if anchored is None else tuple(anchored.candidates),
            make_subgoals,
        )

    def preconditions_hold(self, snapshot: Snapshot) -> bool:
        """Return whether the objects that the task needs exist (spec section 3.9)."""
        return all(each.is_met(snapshot) for each in self._requirements)

    def missing_requirements(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Return labels of the preconditions that do not hold, such as "Knife" or "2 Mug"."""
        lacking = (each.label for each in self._requirements if not each.is_met(snapshot))
        return tuple(dict.fromkeys(lacking))

    def definition_json(self) -> dict[str, Any]:
        """Return the expanded definition as TEACh stores it in a game file."""
        return game_task_json(self.definition)
