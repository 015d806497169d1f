"""A task that is compiled once and can then be checked in any number of snapshots."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from tatc.home import state, type_facts
from tatc.tdl import check_tree, progress, properties, task_json
from tatc.tdl.definition import AtomicComponent, TaskDefinition


class Task:
    """An expanded definition and the check tree compiled from it; it never changes."""

    __slots__ = ("_check_tree", "_requirements", "definition")

    def __init__(self, definition: TaskDefinition) -> None:
        """Compile an expanded definition."""
        self.definition = definition
        self._check_tree = check_tree.compile_check_tree(definition)
        self._requirements = tuple(dict(_iter_requirements(definition)).values())

    @property
    def name(self) -> str:
        """The definition's name."""
        return self.definition.name

    @property
    def params(self) -> tuple[str, ...]:
        """The values of the parameters, in order."""
        return self.definition.params or ()

    def check(self, snapshot: state.Snapshot, *, nearest_first: bool = False) -> progress.Progress:
        """Return how far the task is done in a snapshot.

        If several objects meet equally many conditions, the first in the snapshot is the one
        to change, as when TEACh scores a recorded state.  With `nearest_first` it is the one
        nearest to the Follower, as in TEACh's running sessions.
        """
        origin = snapshot.follower.position if nearest_first else None
        outcome = self._check_tree.check(check_tree.CheckContext(snapshot, origin))
        anchored = outcome.anchor_outcome
        return progress.Progress(
            outcome.success,
            outcome.total,
            outcome.met,
            self.definition.description,
            None if anchored is None else tuple(anchored.satisfied),
            None if anchored is None else tuple(anchored.candidates),
            partial(progress.subgoals_of, outcome, snapshot),
        )

    def preconditions_hold(self, snapshot: state.Snapshot) -> bool:
        """Return whether the objects that the task needs exist (spec section 3.9)."""
        return all(each.is_met(snapshot) for each in self._requirements)

    @property
    def asks_for_nothing(self) -> bool:
        """Whether all counts are 0, so that the task is done whatever there is."""
        return not self._requirements

    def missing_requirements(self, snapshot: state.Snapshot) -> tuple[str, ...]:
        """Return labels of the preconditions that do not hold, such as "Knife" or "2 Mug"."""
        lacking = (each.label for each in self._requirements if not each.is_met(snapshot))
        return tuple(dict.fromkeys(lacking))

    def definition_json(self) -> dict[str, Any]:
        """Return the expanded definition as TEACh stores it in a game file."""
        return task_json.game_task_json(self.definition)


@dataclass(frozen=True, slots=True)
class Requirement:
    """At least `needed_count` objects that pass a test, or enough whole food (spec 3.9).

    Only primary conditions count.  One whole food can be cut into any number of slices; one whole
    egg makes one cracked egg.  `label` names the requirement for people, such as "Plate" or
    "2 Mug".  `types` are the types that pass the test, None if it is not about types.
    `whole_food_type` is the type that is cut or cracked, None if there is none.
    """

    label: str
    test: properties.PropertyTest
    needed_count: int
    types: tuple[str, ...] | None
    whole_food_type: str | None
    slices_from_whole: bool

    def is_met(self, snapshot: state.Snapshot) -> bool:
        """Return whether the snapshot has enough objects or whole food."""
        by_type = snapshot.object_index.by_type
        if self.types is not None:
            found = sum(len(by_type.get(name, ())) for name in self.types)
        else:
            found = sum(1 for obj in snapshot.objects if self.test(obj, snapshot))
        whole = len(by_type.get(self.whole_food_type or "", ()))
        return bool(self.slices_from_whole and whole) or found + whole >= self.needed_count


def _iter_requirements(definition: TaskDefinition) -> Iterator[tuple[str, Requirement]]:
    """Yield the requirements of an expanded definition, each with a key that equal ones share."""
    for component, count in check_tree.wanted_components(definition):
        every = component.determiner == "all"
        need = 1 if every or component.is_shareable else count
        yield _make_requirement(component, need, may_change=not every)


def _make_requirement(
    atomic: AtomicComponent, needed_count: int, *, may_change: bool
) -> tuple[str, Requirement]:
    wanted = atomic.primary_value
    typed = atomic.primary_property == "objectType"
    base = check_tree.whole_food_of(wanted) if typed and may_change else None
    requirement = Requirement(
        str(base or wanted) if needed_count == 1 else f"{needed_count} {base or wanted}",
        properties.compile_property_test(atomic.primary_property, wanted),
        needed_count,
        properties.types_matching(wanted) if typed else None,
        base,
        wanted in type_facts.SLICE_TYPES,
    )
    return (f"{atomic.primary_property} {wanted!r} {needed_count} {may_change}", requirement)


_FREE = "Free Play", "Do what you are told, one thing after another."
FREE_PLAY = Task(TaskDefinition(0, *_FREE, None, (), (), params=(), summary="Nothing is checked."))
"""The task of a session that has none: it asks for nothing, and holds always."""
