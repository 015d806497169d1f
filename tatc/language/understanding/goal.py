"""What understanding a dialogue gives: a goal, its content and what is left open, also as JSON."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from tatc.base.json_fields import FieldError, as_integer, as_list, as_mapping, get_text, read_each
from tatc.home.type_facts import KNOWN_OBJECT_CLASSES, SLICE_TYPE_BY_WHOLE
from tatc.language.object_names import words_for_type
from tatc.language.understanding.tokens import Span
from tatc.tdl import Task

PORTION_FOODS = tuple(SLICE_TYPE_BY_WHOLE)
"""The foods of which a goal may have portions."""


class Preparation(StrEnum):
    """What is done to food."""

    SLICED = "slices"
    COOKED = "cooked slices"
    TOASTED = "toasted slices"


class Chore(StrEnum):
    """What is asked of things that are no dish."""

    CLEAN = "clean"
    PUT = "put"
    SWITCH_ON = "switch on"
    SWITCH_OFF = "switch off"
    WATER = "water"
    BOIL = "boil"
    POACH = "poach"
    FRY_EGG = "fry"
    COFFEE = "coffee"
    FILL = "fill with water"


@dataclass(frozen=True, slots=True)
class Portion:
    """Slices of one food, all prepared alike."""

    food: str
    preparation: Preparation
    count: int = 1


@dataclass(frozen=True, slots=True)
class Dish:
    """Portions together in one clean dish, or anywhere if `container` is None.

    `extras` are object types that belong to it, such as a Fork; `count` says how many such dishes.
    """

    name: str
    container: str | None
    portions: tuple[Portion, ...]
    count: int = 1
    extras: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChoreWanted:
    """A chore on objects of a type or class: on all of them where `count` is None.

    `place`, one for all if `one_place`, is the class of where to put them, for `Chore.PUT` alone.
    """

    chore: Chore
    things: str
    count: int | None = None
    place: str | None = None
    one_place: bool = False


@dataclass(frozen=True, slots=True)
class GoalContent:
    """All that is asked for; `table` is the type of furniture on which dishes are served."""

    dishes: tuple[Dish, ...] = ()
    chores: tuple[ChoreWanted, ...] = ()
    table: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is asked for."""
        return not self.dishes and not self.chores


@dataclass(slots=True)
class Composed:
    """The content of a goal, the words that each part rests on, and what was left open.

    `open_parts` names what nobody said: each is an `OpenPart` or the `count_part` of a food.
    """

    content: GoalContent
    evidence: list[tuple[str, list[Span]]] = field(default_factory=list[tuple[str, list[Span]]])
    open_parts: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class PlaceHint:
    """Where things of a type are, as the Commander said.

    `relation` is "on" for in or on a `place` of this type or class, "near" for next to, above
    or below one.  What was true of one pose alone ("to your left") makes no hint.
    """

    things: str
    relation: str
    place: str
    span: Span


class ReadBy(StrEnum):
    """Who read the goal: the lexicon, a model, or the lexicon because a model failed."""

    LEXICON = "lexicon"
    MODEL = "model"
    FALLBACK = "lexicon in place of the model"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The words on which a part of the goal rests, and those words as they were typed."""

    part: str
    spans: tuple[Span, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """What was left open: `about` is a short name of it, such as "count of Tomato"."""

    about: str
    text: str


@dataclass(frozen=True, slots=True)
class Goal:
    """What is to be done, as content and as a task whose progress can be checked.

    `library_task` is the shipped task that asks for the same, with its parameters; None for
    several.
    """

    content: GoalContent
    task: Task
    library_task: tuple[str, tuple[str, ...]] | None


@dataclass(frozen=True, slots=True)
class Understanding:
    """What a dialogue means, with a confidence from 0 to 1.

    `goal` is None if nothing that can be done is asked for; then there is a question.
    """

    goal: Goal | None
    hints: tuple[PlaceHint, ...]
    evidence: tuple[Evidence, ...]
    confidence: float
    questions: tuple[Question, ...]
    read_by: ReadBy = ReadBy.LEXICON


class OpenPart(StrEnum):
    """What nobody said; there are `count_part` for foods and `unavailable_part` besides."""

    GOAL = "goal"
    IMPOSSIBLE_GOAL = "impossible goal"
    FILLING = "filling"
    CONTAINER = "container"
    TABLE = "table"
    ONE_PLACE = "one place"


COUNT_PREFIX, UNAVAILABLE_PREFIX = "count of ", "no "
"""How the names of counts begin, and of what no home has."""
_TEXT_BY_PART = {
    OpenPart.GOAL: "What shall I do?",
    OpenPart.IMPOSSIBLE_GOAL: "I do not know how to do that. What shall I do instead?",
    OpenPart.FILLING: "What shall I put in it?",
    OpenPart.CONTAINER: "Shall I use a plate or a bowl?",
    OpenPart.TABLE: "Where shall I serve it?",
    OpenPart.ONE_PLACE: "Shall they all be in one and the same place?",
}


def unavailable_part(words: str) -> str:
    """Return the name of something that was asked for and that no home has, such as tea."""
    return f"{UNAVAILABLE_PREFIX}{words}"


def count_part(food: str) -> str:
    """Return the name of how many slices of a food are wanted."""
    return f"{COUNT_PREFIX}{food}"


def question_about(about: str) -> Question:
    """Return the question about a part that was left open."""
    if about.startswith(COUNT_PREFIX):
        food = words_for_type(about.removeprefix(COUNT_PREFIX))
        return Question(about, f"How many slices of {food} would you like?")
    if about.startswith(UNAVAILABLE_PREFIX):
        words = about.removeprefix(UNAVAILABLE_PREFIX)
        return Question(about, f"I know of no {words} here. What shall I do instead?")
    return Question(about, _TEXT_BY_PART[OpenPart(about)])


# What a dialogue means, as JSON and in words.

_MOST_PARTS = 50
_MOST_COUNT = 99
_Kind = TypeVar("_Kind", bound=StrEnum)


def understanding_json(understood: Understanding) -> dict[str, Any]:
    """Return an understanding as JSON, with `read_by` only if a model was asked."""
    by_lexicon = understood.read_by is ReadBy.LEXICON
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
        **({} if by_lexicon else {"read_by": understood.read_by.value}),
    }


def goal_lines(content: GoalContent) -> tuple[str, ...]:
    """Return what a goal asks for in words, a line for each part."""
    lines = (*map(_dish_line, content.dishes), *map(_chore_line, content.chores))
    if content.table is not None:
        lines += (f"all of it on the {words_for_type(content.table)}",)
    return lines


def evidence_words(evidence: Evidence) -> str:
    """Return the words of a part of a goal, each quoted once."""
    return ", ".join(dict.fromkeys(f'"{words}"' for words in evidence.words))


def _goal_json(goal: Goal) -> dict[str, Any]:
    name, params = goal.library_task or (goal.task.name, ())
    return {
        "task": name,
        "params": list(params),
        "composed": goal.library_task is None,
        "says": list(goal_lines(goal.content)),
        "definition": goal.task.definition_json(),
    }


def _dish_line(dish: Dish) -> str:
    parts: list[str] = []
    for each in dish.portions:
        slices = each.preparation.removesuffix("s") if each.count == 1 else each.preparation
        parts.append(f"{each.count} {slices} of {words_for_type(each.food)}")
    parts += [f"1 {words_for_type(each)}" for each in dish.extras]
    place = "" if dish.container is None else f"on a clean {words_for_type(dish.container)}"
    number = "" if dish.count == 1 else f"{dish.count} times "
    return f"{number}{dish.name}: {', '.join(parts)} {place}".replace("  ", " ").rstrip()


def _chore_line(chore: ChoreWanted) -> str:
    things = words_for_type(chore.things)
    number = "all" if chore.count is None else str(chore.count)
    if chore.chore is Chore.COFFEE:
        return f"coffee in {number} clean {'mug' if chore.count == 1 else 'mugs'}"
    line = f"{chore.chore} {number} {things}"
    if chore.place is None:
        return line
    one = "one " if chore.one_place else "a "
    return f"{line} on {one}{words_for_type(chore.place)}"


def content_json(content: GoalContent) -> dict[str, Any]:
    """Return a content as `read_content` takes it."""
    return json.loads(json.dumps(asdict(content)))


def read_content(value: object) -> GoalContent:
    """Return the content that JSON holds, or raise a FieldError."""
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
