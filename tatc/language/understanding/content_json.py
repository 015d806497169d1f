"""Goal contents as JSON, checked field by field when they are read."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from tatc.base.json_fields import FieldError, as_integer, as_list, as_mapping, get_text, read_each
from tatc.home.types.teach_classes import KNOWN_OBJECT_CLASSES
from tatc.language.understanding.goal_content import (
    PORTION_FOODS,
    Chore,
    ChoreWanted,
    Dish,
    GoalContent,
    Portion,
    Preparation,
)

_MOST_PARTS = 50
_MOST_COUNT = 99
_Kind = TypeVar("_Kind", bound=StrEnum)


def content_json(content: GoalContent) -> dict[str, Any]:
    """Return a content as `read_content` takes it."""
    return {
        "dishes": [
            {
                "name": dish.name,
                "container": dish.container,
                "portions": [
                    {"food": p.food, "preparation": p.preparation.value, "count": p.count}
                    for p in dish.portions
                ],
                "count": dish.count,
                "extras": list(dish.extras),
            }
            for dish in content.dishes
        ],
        "chores": [
            {
                "chore": chore.chore.value,
                "things": chore.things,
                "count": chore.count,
                "place": chore.place,
                "one_place": chore.one_place,
            }
            for chore in content.chores
        ],
        "table": content.table,
    }


def read_content(value: object) -> GoalContent:
    """Return the content that JSON holds.

    Raises:
        FieldError: a field is missing or impossible.

    """
    raw = as_mapping(value, "")
    return GoalContent(
        tuple(_read_list(raw, "dishes", _read_dish)),
        tuple(_read_list(raw, "chores", _read_chore)),
        _get_class_or_none(raw, "table"),
    )


def _read_list(raw: Mapping[str, Any], field: str, read: Any) -> list[Any]:
    return read_each(as_list(raw.get(field), field, _MOST_PARTS), read, field)


def _read_dish(value: object) -> Dish:
    raw = as_mapping(value, "")
    return Dish(
        get_text(raw, "name"),
        _get_class_or_none(raw, "container"),
        tuple(_read_list(raw, "portions", _read_portion)),
        _get_count(raw),
        tuple(_read_list(raw, "extras", _read_class)),
    )


def _read_portion(value: object) -> Portion:
    raw = as_mapping(value, "")
    food = get_text(raw, "food")
    if food not in PORTION_FOODS:
        raise FieldError("food", f"should be one of {', '.join(PORTION_FOODS)}, is {food!r:.40}")
    return Portion(food, _get_kind(raw, "preparation", Preparation), _get_count(raw))


def _read_chore(value: object) -> ChoreWanted:
    raw = as_mapping(value, "")
    one_place = raw.get("one_place")
    if not isinstance(one_place, bool):
        raise FieldError("one_place", "should be true or false")
    return ChoreWanted(
        _get_kind(raw, "chore", Chore),
        _read_class(raw.get("things"), "things"),
        None if raw.get("count") is None else _get_count(raw),
        _get_class_or_none(raw, "place"),
        one_place,
    )


def _get_kind(raw: Mapping[str, Any], field: str, kinds: type[_Kind]) -> _Kind:
    text = get_text(raw, field)
    if text not in list(kinds):
        raise FieldError(field, f"should be one of {_listed(kinds)}, is {text!r:.40}")
    return kinds(text)


def _listed(kinds: Iterable[StrEnum]) -> str:
    return ", ".join(each.value for each in kinds)


def _get_count(raw: Mapping[str, Any]) -> int:
    count = as_integer(raw.get("count"), "count")
    if not 1 <= count <= _MOST_COUNT:
        raise FieldError("count", f"should be from 1 to {_MOST_COUNT}, is {count}")
    return count


def _get_class_or_none(raw: Mapping[str, Any], field: str) -> str | None:
    value = raw.get(field)
    return None if value is None else _read_class(value, field)


def _read_class(value: object, field: str = "") -> str:
    if not isinstance(value, str) or value not in KNOWN_OBJECT_CLASSES:
        raise FieldError(field, f"should be a type or class of objects, is {value!r:.40}")
    return value
