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
    """Things that are to be put somewhere."""

    things: str
    place: str
    count: int | None
    wants_all: bool
    one_place: bool
    any_place: bool
    is_plural: bool
    spans: list[Span]


@dataclass(slots=True)
class Cleaning:
    """Things that are to be clean."""

    things: str
    count: int | None
    wants_all: bool
    is_plural: bool
    spans: list[Span]


@dataclass(frozen=True, slots=True)
class Hint:
    """Where something is, as the Commander said: near or in (`relation`) a type of place."""

    things: str
    relation: str
    place: str
    span: Span
