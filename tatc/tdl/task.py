"""A task ready to be checked: compiled once, then asked of any number of snapshots."""

from collections.abc import Callable
from functools import partial
from typing import Any

from tatc.state import Snapshot
from tatc.tdl.definition import TaskDefinition
from tatc.tdl.matching import Look
from tatc.tdl.preconditions import Requirement, requirements_of
from tatc.tdl.program import compile_program
from tatc.tdl.progress import Progress, Subgoal
from tatc.tdl.report import subgoals_of
from tatc.tdl.writing import write_definition


class Task:
    """An expanded definition and the program made from it; holds no state."""

    __slots__ = ("_requirements", "_root", "definition")

    def __init__(self, definition: TaskDefinition) -> None:
        """Compile an expanded definition.

        Raises:
            ParameterError: a macro was filled with what cannot stand in its place.

        """
        self.definition = definition
        self._root = compile_program(definition)
        self._requirements: tuple[Requirement, ...] = requirements_of(definition)

    @property
    def name(self) -> str:
        """The definition's name."""
        return self.definition.name

    @property
    def params(self) -> tuple[str, ...]:
        """The parameters' values, in order."""
        return self.definition.params or ()

    def check(self, snapshot: Snapshot, *, nearest_first: bool = False) -> Progress:
        """Return how far the task is done in a snapshot, without changing it.

        Among objects that meet equally many conditions the first in the snapshot is
        the problem, as where TEACh scores a recorded state.  `nearest_first` takes the
        one nearest to the Follower instead, as TEACh does in a running session.
        """
        origin = snapshot.follower.position if nearest_first else None
        outcome = self._root.check(Look(snapshot, origin))
        tell: Callable[[], tuple[Subgoal, ...]] = partial(
            subgoals_of, outcome, snapshot
        )
        anchored = outcome.anchored
        return Progress(
            outcome.success,
            outcome.total,
            outcome.met,
            self.definition.description,
            None if anchored is None else tuple(anchored.satisfied),
            None if anchored is None else tuple(anchored.candidates),
            tell,
        )

    def preconditions_hold(self, snapshot: Snapshot) -> bool:
        """Return whether the objects that the task needs exist (spec section 3.9)."""
        return all(each.holds(snapshot) for each in self._requirements)

    def missing(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Return what the preconditions lack, for people: "Knife", "2 Mug"."""
        lacking = (each.what for each in self._requirements if not each.holds(snapshot))
        return tuple(dict.fromkeys(lacking))

    def definition_json(self) -> dict[str, Any]:
        """Return the expanded definition as TEACh stores it in a game file."""
        return write_definition(self.definition)
