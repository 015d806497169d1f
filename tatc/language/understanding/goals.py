"""What understanding a dialogue gives: a goal, its content, its evidence and what is left open."""

from dataclasses import dataclass, field
from enum import StrEnum

from tatc.base import files
from tatc.home.type_facts import SLICE_TYPE_BY_WHOLE
from tatc.language.object_names import words_for_type
from tatc.language.understanding.tokens import Span
from tatc.tdl import Task

PORTION_FOODS = tuple(SLICE_TYPE_BY_WHOLE)  # the foods of which a goal may have portions


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
    EMPTY = "empty"
    HOLD = "pick up"
    OPEN = "open"
    CLOSE = "close"
    SLICE = "slice"
    HEAT = "heat"
    COOL = "cool"
    FIND = "find"


ARRANGING_CHORES = (Chore.PUT, Chore.CLEAN)


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
    `only` is the id of the one object that is meant, if any, and `at` that of the one place.
    """

    chore: Chore
    things: str
    count: int | None = None
    place: str | None = None
    one_place: bool = False
    only: str = ""
    at: str = ""


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

    content: GoalContent = field(default_factory=GoalContent)
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

    `library_task` is the shipped task that asks for the same, by name and parameters, or None.
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


class OpenPart(StrEnum):
    """What nobody said, beside the `count_part` of foods and what no home has."""

    GOAL = "goal"
    IMPOSSIBLE_GOAL = "impossible goal"
    FILLING = "filling"
    CONTAINER = "container"
    TABLE = "table"
    ONE_PLACE = "one place"


COUNT_PREFIX, UNAVAILABLE_PREFIX = "count of ", "no "
"""How the names of counts begin, and of what no home has."""
_QUESTIONS: dict[str, str] = files.package_table(__package__, "questions.toml")["questions"]


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
    return Question(about, _QUESTIONS[OpenPart(about)])
