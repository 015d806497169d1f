"""The JSON Schema of a model's answer: a goal's content and the words that it rests on.

It follows the rules of `strict` in the chat completions interface: every property is required,
and no other is allowed.  `content_json.read_content` checks the same again, because not every
endpoint constrains what its models write.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from tatc.home.types.teach_classes import KNOWN_OBJECT_CLASSES
from tatc.language.understanding.goal_content import PORTION_FOODS, Chore, Preparation

COMPOSED_DISH_NAMES = ("sandwich", "salad", "toast", "slices")
"""The names of dishes; "slices" are portions that belong to no other dish."""

_CLASS = {"$ref": "#/$defs/object_class"}
_CLASS_OR_NULL = {"anyOf": [_CLASS, {"type": "null"}]}
_COUNT = {"type": "integer"}


def answer_schema() -> Mapping[str, Any]:
    """Return the schema."""
    evidence = _object({"part": {"type": "string"}, "words": {"type": "string"}})
    goal = {"anyOf": [{"$ref": "#/$defs/goal"}, {"type": "null"}]}
    return {
        **_object({"goal": goal, "evidence": _list(evidence)}),
        "$defs": {"object_class": _choice(sorted(KNOWN_OBJECT_CLASSES)), "goal": _goal_schema()},
    }


def _goal_schema() -> dict[str, Any]:
    portion = _object(
        {"food": _choice(PORTION_FOODS), "preparation": _choice(Preparation), "count": _COUNT}
    )
    dish = _object(
        {
            "name": _choice(COMPOSED_DISH_NAMES),
            "container": _CLASS_OR_NULL,
            "portions": _list(portion),
            "count": _COUNT,
            "extras": _list(_CLASS),
        }
    )
    chore = _object(
        {
            "chore": _choice(Chore),
            "things": _CLASS,
            "count": {"anyOf": [_COUNT, {"type": "null"}]},
            "place": _CLASS_OR_NULL,
            "one_place": {"type": "boolean"},
        }
    )
    return _object({"dishes": _list(dish), "chores": _list(chore), "table": _CLASS_OR_NULL})


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _choice(names: Iterable[str]) -> dict[str, Any]:
    return {"type": "string", "enum": [str(each) for each in names]}
