"""What a dialogue means, as JSON and in words; contents of goals are checked when they are read."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from enum import StrEnum
from typing import Any, TypeVar

from tatc.base.json_fields import FieldError, as_integer, as_list, as_mapping, get_text, read_each
from tatc.home.type_facts import KNOWN_OBJECT_CLASSES
from tatc.language.object_names import words_for_type
from tatc.language.understanding import goals

_MOST_PARTS = 50
_MOST_COUNT = 99
_Kind = TypeVar("_Kind", bound=StrEnum)


def understanding_json(understood: goals.Understanding) -> dict[str, Any]:
    """Return an understanding as JSON."""
    return {
        "goal": None if understood.goal is None else _goal_json(understood.goal),
        "hints": [
            {"things": h.things, "relation": h.relation, "place": h.place, **asdict(h.span)}
            for h in understood.hints
        ],
        "evidence": [
            {"part": each.part, **asdict(span), "words": words}
            for each in understood.evidence
            for span, words in zip(each.spans, each.words, strict=True)
        ],
        "confidence": understood.confidence,
        "questions": [asdict(each) for each in understood.questions],
    }


def goal_lines(content: goals.GoalContent) -> tuple[str, ...]:
    """Return what a goal asks for in words, a line for each part."""
    lines = (*map(_dish_line, content.dishes), *map(_chore_line, content.chores))
    if content.table is not None:
        lines += (f"all of it on the {words_for_type(content.table)}",)
    return lines


def evidence_words(evidence: goals.Evidence) -> str:
    """Return the words of a part of a goal, each quoted once."""
    return ", ".join(dict.fromkeys(f'"{words}"' for words in evidence.words))


def _goal_json(goal: goals.Goal) -> dict[str, Any]:
    name, params = goal.library_task or (goal.task.name, ())
    return {
        "task": name,
        "params": list(params),
        "composed": goal.library_task is None,
        "says": list(goal_lines(goal.content)),
        "definition": goal.task.definition_json(),
    }


def _dish_line(dish: goals.Dish) -> str:
    parts: list[str] = []
    for each in dish.portions:
        slices = each.preparation.removesuffix("s") if each.count == 1 else each.preparation
        parts.append(f"{each.count} {slices} of {words_for_type(each.food)}")
    parts += [f"1 {words_for_type(each)}" for each in dish.extras]
    place = "" if dish.container is None else f"on a clean {words_for_type(dish.container)}"
    number = "" if dish.count == 1 else f"{dish.count} times "
    return f"{number}{dish.name}: {', '.join(parts)} {place}".replace("  ", " ").rstrip()


def _chore_line(chore: goals.ChoreWanted) -> str:
    things = words_for_type(chore.things)
    number = "all" if chore.count is None else str(chore.count)
    if chore.chore is goals.Chore.COFFEE:
        return f"coffee in {number} clean {'mug' if chore.count == 1 else 'mugs'}"
    line = f"{chore.chore} {number} {things}"
    if chore.place is None:
        return line
    one = "one " if chore.one_place else "a "
    return f"{line} on {one}{words_for_type(chore.place)}"


def content_json(content: goals.GoalContent) -> dict[str, Any]:
    """Return a content as `read_content` takes it."""
    found: dict[str, Any] = json.loads(json.dumps(asdict(content)))
    for chore in found["chores"]:
        del chore["only"]  # which no words tell, but what was seen
    return found


def read_content(value: object) -> goals.GoalContent:
    """Return the content that JSON holds, or raise a FieldError."""
    raw = as_mapping(value, "")
    return goals.GoalContent(
        tuple(_read_list(raw, "dishes", _read_dish)),
        tuple(_read_list(raw, "chores", _read_chore)),
        _get_class_or_none(raw, "table"),
    )


def _read_list(raw: Mapping[str, Any], field: str, read: Any) -> list[Any]:
    return read_each(as_list(raw.get(field), field, _MOST_PARTS), read, field)


def _read_dish(value: object) -> goals.Dish:
    raw = as_mapping(value, "")
    return goals.Dish(
        get_text(raw, "name"),
        _get_class_or_none(raw, "container"),
        tuple(_read_list(raw, "portions", _read_portion)),
        _get_count(raw),
        tuple(_read_list(raw, "extras", _read_class)),
    )


def _read_portion(value: object) -> goals.Portion:
    raw = as_mapping(value, "")
    food = get_text(raw, "food")
    if food not in goals.PORTION_FOODS:
        why = f"should be one of {', '.join(goals.PORTION_FOODS)}, is {food!r:.40}"
        raise FieldError("food", why)
    return goals.Portion(food, _get_kind(raw, "preparation", goals.Preparation), _get_count(raw))


def _read_chore(value: object) -> goals.ChoreWanted:
    raw = as_mapping(value, "")
    one_place = raw.get("one_place")
    if not isinstance(one_place, bool):
        raise FieldError("one_place", "should be true or false")
    return goals.ChoreWanted(
        _get_kind(raw, "chore", goals.Chore),
        _read_class(raw.get("things"), "things"),
        None if raw.get("count") is None else _get_count(raw),
        _get_class_or_none(raw, "place"),
        one_place,
    )


def _get_kind(raw: Mapping[str, Any], field: str, kinds: type[_Kind]) -> _Kind:
    text = get_text(raw, field)
    if text not in list(kinds):
        raise FieldError(field, f"should be one of {', '.join(kinds)}, is {text!r:.40}")
    return kinds(text)


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
