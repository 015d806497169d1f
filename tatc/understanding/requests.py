"""What was asked for, request by request, while a dialogue is read."""

from dataclasses import dataclass, field

from tatc.understanding.tokens import Span


@dataclass(slots=True)
class FoodState:
    """What was said of one food."""

    is_sliced: bool = False
    is_cooked: bool = False
    is_boiled: bool = False
    is_toasted: bool = False
    is_removed: bool = False
    count: int | None = None
    implied: int = 0
    mentions: int = 0
    spans: list[Span] = field(default_factory=list[Span])


@dataclass(slots=True)
class Placing:
    """Things that are to be put somewhere; `number` is that of the clause that asks for it."""

    things: str
    place: str
    count: int | None
    wants_all: bool
    one_place: bool
    any_place: bool
    is_plural: bool
    spans: list[Span]
    is_definite: bool = False
    number: int = 0


@dataclass(slots=True)
class Cleaning:
    """Things that are to be clean; `number` is that of the clause that asks for it."""

    things: str
    count: int | None
    wants_all: bool
    is_plural: bool
    spans: list[Span]
    is_definite: bool = False
    number: int = 0


@dataclass(slots=True)
class Switching:
    """Things that are to be switched on or off."""

    things: str
    turns_on: bool
    spans: list[Span]


@dataclass(frozen=True, slots=True)
class Hint:
    """Where something is, as the Commander said: near or in (`relation`) a type of place."""

    things: str
    relation: str
    place: str
    span: Span
