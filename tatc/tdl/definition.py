"""A task definition as a value: components, relations, parameters.

The language is TEACh's (spec section 3).  A definition may hold macros: `#k` in a text
stands for parameter k.  `tatc.tdl.macros.expand` fills them and gives a definition of
the same form without macros; `params` is None before and the values after.
"""

from dataclasses import dataclass
from enum import StrEnum

DesiredValue = str | int | float | bool | None
"""A wanted property value; bools and the numbers 0 and 1 are told apart (3.4)."""

Determiner = str | int
"""How many: "a", "all", a decimal string, or (in tasks made for EDH) a number."""


class ParameterKind(StrEnum):
    """What a parameter's value is; inferred from where the definition uses it."""

    COUNT = "count"
    TYPE = "type"
    CLASS = "class"
    FLAG = "flag"
    PREPOSITION = "preposition"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: how a person names it, what it means, what it may be.

    `choices` are the values drawn from when none is given (empty: any that the kind
    allows); the value may be another one all the same.  `follows` names a parameter
    whose choice decides this one's: both lists run in step.
    """

    name: str
    kind: ParameterKind
    meaning: str = ""
    choices: tuple[str, ...] = ()
    follows: str | None = None


@dataclass(frozen=True, slots=True)
class AtomicComponent:
    """A component made of property conditions on one object.

    `primary_property` names the condition that makes an object a candidate at all;
    `failure_texts` pairs a property with what to tell a person whose object lacks it.
    """

    determiner: Determiner
    primary_property: str
    is_shareable: bool
    conditions: tuple[tuple[str, DesiredValue], ...]
    failure_texts: tuple[tuple[str, str], ...] = ()

    @property
    def primary_value(self) -> DesiredValue:
        """The value that the primary condition asks for."""
        return next(want for name, want in self.conditions if name == self.primary_property)


@dataclass(frozen=True, slots=True)
class NestedTask:
    """A component that is a task of its own, with its parameters."""

    determiner: Determiner
    task: "TaskDefinition"
    params: tuple[str, ...]


Component = AtomicComponent | NestedTask


@dataclass(frozen=True, slots=True)
class Relation:
    """Heads must lie in a tail: any one ("a") or all in the same one ("the").

    `tail` and the first of each head name components; a head's second part says how
    many of it.
    """

    tail: str
    tail_determiner: str
    heads: tuple[tuple[str, Determiner], ...]
    failure_text: str


@dataclass(frozen=True, slots=True)
class TaskDefinition:
    """A task: what must hold when it is done.

    `components` keep their order, which is that of the progress check.  `anchor` is
    the component that stands for the task in another task's relation.  `summary` says
    in one line when the task is done; `aliases` are further names a person may type.
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

    def find_component(self, key: str) -> Component | None:
        """Return the component with this key, or None."""
        return next((part for name, part in self.components if name == key), None)
