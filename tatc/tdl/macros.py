"""Fills the parameter macros (`#k`) of a definition (spec section 3.2).

A key that changes moves to the end of its dictionary, as in TEACh, which deletes the key
and inserts it again.  The order of subgoals depends on this.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from tatc.base.errors import ParameterError
from tatc.base.files import MAX_TASK_TEXT
from tatc.base.plain_text import whole_number
from tatc.tdl.definition import (
    AtomicComponent,
    Component,
    DesiredValue,
    Determiner,
    NestedTask,
    Relation,
    TaskDefinition,
)

ValueT = TypeVar("ValueT")


def expand_macros(definition: TaskDefinition, params: Sequence[str]) -> TaskDefinition:
    """Return the definition with every macro filled, those of nested tasks too."""
    check_parameter_count(definition, params)
    values = tuple(params)
    components = _fill_pairs(definition.components, values, _fill_component)
    return replace(
        definition,
        description=fill_macros(definition.description, values),
        anchor=None if definition.anchor is None else fill_macros(definition.anchor, values),
        components=components,
        relations=tuple(_fill_relation(each, values) for each in definition.relations),
        params=values,
    )


def check_parameter_count(definition: TaskDefinition, params: Sequence[object]) -> None:
    """Check that a task takes this many parameters."""
    expected = [parameter.name for parameter in definition.parameters]
    if len(params) != len(expected):
        raise ParameterError(
            f"{len(params)} parameters given, {len(expected)} needed",
            where=f"task {definition.name!r}",
            fix=f"give, in order: {', '.join(expected)}" if expected else "give none",
        )


def fill_macros(text: str, params: Sequence[str]) -> str:
    """Return `text` with `#k` replaced by parameter k, the highest k first."""
    for k in range(len(params) - 1, -1, -1):
        text = text.replace(f"#{k}", params[k])
        if len(text) > MAX_TASK_TEXT:
            why = f"parameters make a text longer than {MAX_TASK_TEXT} characters"
            raise ParameterError(why, where=f"{text[:40]}...", fix="give shorter ones")
    return text


def _fill_pairs(
    pairs: Iterable[tuple[str, ValueT]],
    params: Sequence[str],
    fill_value: Callable[[ValueT, Sequence[str]], ValueT],
) -> tuple[tuple[str, ValueT], ...]:
    """Fill keys and values; a changed key moves to the end, and equal keys become one."""
    filled = dict(pairs)
    for key in tuple(filled):
        new_key = fill_macros(key, params)
        value = fill_value(filled[key], params)
        if new_key != key:
            del filled[key]
        filled[new_key] = value
    return tuple(filled.items())


def _fill_component(component: Component, params: Sequence[str]) -> Component:
    determiner = _fill_determiner(component.determiner, params)
    if isinstance(component, NestedTask):
        inner = tuple(fill_macros(value, params) for value in component.params)
        return NestedTask(determiner, expand_macros(component.task, inner), inner)
    return AtomicComponent(
        determiner,
        fill_macros(component.primary_property, params),
        component.is_shareable,
        _fill_pairs(component.conditions, params, _fill_desired_value),
        _fill_pairs(component.failure_texts, params, fill_macros),
    )


def _fill_relation(relation: Relation, params: Sequence[str]) -> Relation:
    return Relation(
        fill_macros(relation.tail, params),
        relation.tail_determiner,
        tuple(
            (fill_macros(key, params), _fill_determiner(determiner, params))
            for key, determiner in relation.heads
        ),
        fill_macros(relation.failure_text, params),
        relation.is_same,
    )


def _fill_desired_value(desired: DesiredValue, params: Sequence[str]) -> DesiredValue:
    """Fill a wanted value; a result of digits alone becomes a number."""
    if not isinstance(desired, str):
        return desired
    filled = fill_macros(desired, params)
    number = whole_number(filled)
    return filled if number is None else number


def _fill_determiner(determiner: Determiner, params: Sequence[str]) -> Determiner:
    return fill_macros(determiner, params) if isinstance(determiner, str) else determiner
