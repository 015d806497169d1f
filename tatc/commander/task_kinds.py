"""The types and classes of objects that a task names."""

from collections.abc import Iterator

from tatc.tdl.definition import AtomicComponent, DesiredValue, TaskDefinition

_KIND_PROPERTIES = ("objectType", "simbotObjectClass", "parentReceptacles")


def kinds_named_in(definition: TaskDefinition) -> frozenset[DesiredValue]:
    """Return the types and classes of objects that an expanded definition names."""
    return frozenset(_named_kinds(definition))


def _named_kinds(definition: TaskDefinition) -> Iterator[DesiredValue]:
    for _, component in definition.components:
        if isinstance(component, AtomicComponent):
            yield from (want for name, want in component.conditions if name in _KIND_PROPERTIES)
        else:
            yield from _named_kinds(component.task)
