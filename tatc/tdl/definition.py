"""Task definitions as immutable values: components, relations and parameters.

The language is TEACh's (spec section 3).  A definition may contain macros: `#k` in a string
stands for parameter k.  `tatc.tdl.linking.expand_macros` fills them and returns a definition
of the same form without macros.  `params` is None before and holds the values afterwards.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

DesiredValue = str | int | float | bool | None
"""A wanted property value; booleans differ from the numbers 0 and 1 (spec 3.4)."""

Determiner = str | int
"""How many: "a", "all", a decimal string, or (in tasks made for EDH) a number."""


class ParameterKind(StrEnum):
    """What a parameter's value stands for; inferred from where the definition uses it."""

    COUNT = "count"
    TYPE = "type"
    CLASS = "class"
    FLAG = "flag"
    PREPOSITION = "preposition"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a task: its name for people, its kind, meaning and values.

    `choices` are the values to draw from when none is given (empty: any that the kind
    allows); a given value may be another one.  `follows` names another parameter: if that has
    its n-th choice, this one has its n-th choice too.  `allowed` bounds what may be given:
    "choices" for these and their pieces alone, or an affordance that the type must have; "" for
    anything that the kind allows.
    """

    name: str
    kind: ParameterKind
    meaning: str = ""
    choices: tuple[str, ...] = ()
    follows: str | None = None
    allowed: str = ""


@dataclass(frozen=True, slots=True)
class AtomicComponent:
    """Conditions on one object, the primary of which finds candidates, and texts if they fail."""

    determiner: Determiner
    primary_property: str
    is_shareable: bool  # one object serves, however often the task around it is wanted
    conditions: tuple[tuple[str, DesiredValue], ...]
    failure_texts: tuple[tuple[str, str], ...] = ()

    @property
    def primary_value(self) -> DesiredValue:
        """The value that the primary condition asks for."""
        return next(want for name, want in self.conditions if name == self.primary_property)


@dataclass(frozen=True, slots=True)
class NestedTask:
    """A component that is another task, with the values of its parameters."""

    determiner: Determiner
    task: "TaskDefinition"
    params: tuple[str, ...]


Component = AtomicComponent | NestedTask


@dataclass(frozen=True, slots=True)
class Relation:
    """Objects (heads) that must lie in or on another object (the tail).

    With `tail_determiner` "a" each head may be in any tail; with "the" all must be in the same one.
    With `is_same`, which is tatc's own (`"same": true`), only objects that meet their own component
    count, as heads and as tails; TEACh takes any candidate.  `tail` and the first item of each head
    are keys of components; a head's second item says how many of its objects are wanted.
    """

    tail: str
    tail_determiner: str
    heads: tuple[tuple[str, Determiner], ...]
    failure_text: str
    is_same: bool = False


@dataclass(frozen=True, slots=True)
class TaskDefinition:
    """A task: what must hold when it is done.

    The progress check lists `components` in their order here.  `anchor` is the key of the
    component that stands for the task in another task's relation.  `summary` says in one
    line when the task is done; `aliases` are further names that a person may type.
    """

    id: int
    name: str
    description: str
    anchor: str | None
    components: tuple[tuple[str, Component], ...]
    relations: tuple[Relation, ...]
    parameters: tuple[Parameter, ...] = ()
    params: tuple[str, ...] | None = None
    summary: str = ""
    aliases: tuple[str, ...] = ()

    def atomic_components(self) -> Iterator[AtomicComponent]:
        """Yield the components of conditions, those of nested tasks among them."""
        for _, part in self.components:
            if isinstance(part, AtomicComponent):
                yield part
            else:
                yield from part.task.atomic_components()

    def find_component(self, key: str) -> Component | None:
        """Return the component with a key, or None."""
        return next((part for name, part in self.components if name == key), None)
