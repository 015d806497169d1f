"""Parameter macros: fill `#k` everywhere in a definition (spec section 3.2).

A key that changes moves behind its unchanged neighbours, as in the reference, where it
is deleted and put in again; the order of subgoals depends on it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from tatc.errors import ParameterError
from tatc.tdl.definition import (
    Atomic,
    Component,
    Determiner,
    Nested,
    Relation,
    TaskDefinition,
    Want,
)

Value = TypeVar("Value")


def expand(definition: TaskDefinition, params: Sequence[str]) -> TaskDefinition:
    """Return the definition with every macro filled, nested tasks too.

    Raises:
        ParameterError: the number of parameters does not fit.

    """
    expected = len(definition.parameters)
    if len(params) != expected:
        names = ", ".join(parameter.name for parameter in definition.parameters)
        raise ParameterError(
            f"{len(params)} parameters given, {expected} needed",
            where=f"task {definition.name!r}",
            fix=f"give, in order: {names}" if names else "give none",
        )
    values = tuple(params)
    components = _fill_pairs(definition.components, values, _fill_component)
    return replace(
        definition,
        description=fill(definition.description, values),
        anchor=None if definition.anchor is None else fill(definition.anchor, values),
        components=components,
        relations=tuple(_fill_relation(each, values) for each in definition.relations),
        params=values,
    )


def fill(text: str, params: Sequence[str]) -> str:
    """Return `text` with `#k` replaced by parameter k, the highest k first."""
    for k in range(len(params) - 1, -1, -1):
        text = text.replace(f"#{k}", params[k])
    return text


def _fill_pairs(
    pairs: Iterable[tuple[str, Value]],
    params: Sequence[str],
    fill_value: Callable[[Value, Sequence[str]], Value],
) -> tuple[tuple[str, Value], ...]:
    """Fill keys and values; a changed key moves to the end, equal keys become one."""
    filled = dict(pairs)
    for key in tuple(filled):
        new_key = fill(key, params)
        value = fill_value(filled[key], params)
        if new_key != key:
            del filled[key]
        filled[new_key] = value
    return tuple(filled.items())


def _fill_component(component: Component, params: Sequence[str]) -> Component:
    determiner = _fill_determiner(component.determiner, params)
    if isinstance(component, Nested):
        inner = tuple(fill(value, params) for value in component.params)
        return Nested(determiner, expand(component.task, inner), inner)
    return Atomic(
        determiner,
        fill(component.primary, params),
        component.shareable,
        _fill_pairs(component.conditions, params, _fill_want),
        _fill_pairs(component.failure_texts, params, fill),
    )


def _fill_relation(relation: Relation, params: Sequence[str]) -> Relation:
    return Relation(
        fill(relation.tail, params),
        relation.tail_determiner,
        tuple(
            (fill(key, params), _fill_determiner(determiner, params))
            for key, determiner in relation.heads
        ),
        fill(relation.failure_text, params),
    )


def _fill_want(want: Want, params: Sequence[str]) -> Want:
    """Fill a wanted value; one of digits alone becomes a number."""
    if not isinstance(want, str):
        return want
    filled = fill(want, params)
    return int(filled) if filled.isdecimal() else filled


def _fill_determiner(determiner: Determiner, params: Sequence[str]) -> Determiner:
    return fill(determiner, params) if isinstance(determiner, str) else determiner
