"""What a goal asks for, before it is a task definition: dishes, chores, and a table."""

from dataclasses import dataclass, field
from enum import StrEnum

from tatc.home.types.facts import SLICE_TYPE_BY_WHOLE
from tatc.language.understanding.tokens import Span

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

    `place` is the class of where to put them, for `Chore.PUT` alone; with `one_place` it is one
    and the same place for all.
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


EMPTY_CONTENT = GoalContent()


@dataclass(slots=True)
class Composed:
    """The content of a goal, the words that each part rests on, and what was left open.

    `open_parts` names what nobody said: each is an `OpenPart` or the `count_part` of a food.
    """

    content: GoalContent
    evidence: list[tuple[str, list[Span]]] = field(default_factory=list[tuple[str, list[Span]]])
    open_parts: list[str] = field(default_factory=list[str])
