"""Whether a room has what a task needs before it starts (spec section 3.9).

Only primary conditions count, and relations do not.  One whole food makes any number
of slices; a whole egg makes one cracked egg.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tatc.state import Snapshot
from tatc.tdl.definition import Atomic, TaskDefinition
from tatc.tdl.matching import base_of
from tatc.tdl.program import number_of
from tatc.tdl.properties import Test, compile_test, types_for


@dataclass(frozen=True, slots=True)
class Requirement:
    """At least `need` objects that meet a test, or the whole food `base` instead.

    `what` names it for people, such as "Plate" or "2 Mug".
    """

    what: str
    test: Test
    need: int
    types: tuple[str, ...] | None
    base: str | None
    splits: bool

    def holds(self, snapshot: Snapshot) -> bool:
        """Return whether the snapshot has enough."""
        if self.types is not None:
            found = sum(len(snapshot.roster.types.get(t, ())) for t in self.types)
        else:
            found = sum(1 for thing in snapshot.objects if self.test(thing, snapshot))
        whole = 0
        if self.base is not None:
            whole = len(snapshot.roster.types.get(self.base, ()))
        return bool(self.splits and whole) or found + whole >= self.need


def requirements_of(definition: TaskDefinition) -> tuple[Requirement, ...]:
    """Return what an expanded definition requires, each requirement once."""
    return tuple(dict(_requirements(definition, 1)).values())


def _requirements(
    definition: TaskDefinition, times: int
) -> Iterator[tuple[str, Requirement]]:
    for _, component in definition.components:
        count = number_of(component.determiner, definition)
        if not count:
            continue
        if isinstance(component, Atomic):
            every = component.determiner == "all"
            need = 1 if every or component.shareable else times * count
            yield _requirement(component, need, may_change=not every)
        else:
            yield from _requirements(component.task, times * count)


def _requirement(
    atomic: Atomic, need: int, *, may_change: bool
) -> tuple[str, Requirement]:
    wanted = atomic.wanted
    typed = atomic.primary == "objectType"
    base = base_of(wanted) if typed and may_change else None
    requirement = Requirement(
        str(base or wanted) if need == 1 else f"{need} {base or wanted}",
        compile_test(atomic.primary, wanted),
        need,
        types_for(wanted) if typed else None,
        base,
        "Sliced" in str(wanted),
    )
    return f"{atomic.primary} {wanted!r} {need} {may_change}", requirement
