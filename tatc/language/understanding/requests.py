"""What was asked for, request by request, while a dialogue is read."""

from dataclasses import dataclass, field

from tatc.home.types.facts import KNIFE_TYPES
from tatc.language.understanding.tokens import Span


@dataclass(slots=True)
class FoodState:
    """What was said of one food."""

    is_sliced: bool = False
    is_cut: bool = False  # said of it, not only that it belongs to a dish
    is_cooked: bool = False
    is_boiled: bool = False
    is_toasted: bool = False
    is_removed: bool = False
    count: int | None = None
    implied: int = 0
    spans: list[Span] = field(default_factory=list[Span])


@dataclass(slots=True, kw_only=True)
class ThingsRequest:
    """Things of which something is asked; `number` is that of the clause that asks for it."""

    things: str
    count: int | None
    wants_all: bool
    is_plural: bool
    is_definite: bool
    is_pronoun: bool
    spans: list[Span]
    number: int


@dataclass(slots=True, kw_only=True)
class Placing(ThingsRequest):
    """Things that are to be put somewhere."""

    place: str
    one_place: bool
    any_place: bool


def is_on_the_way(placing: Placing) -> bool:
    """Return whether things are put somewhere on the way to something else."""
    is_tool = placing.things in _TOOLS and not (placing.wants_all or placing.is_plural)
    return is_tool or placing.place in _STEP_PLACES


_STEP_PLACES = (
    *("Plate", "Bowl", "Mug", "Cup"),
    *("Microwave", "Toaster", "CoffeeMachine", "StoveBurner", "Pan", "Pot"),
)
_TOOLS = (*KNIFE_TYPES, "Faucet")


@dataclass(slots=True, kw_only=True)
class Cleaning(ThingsRequest):
    """Things that are to be clean."""


@dataclass(slots=True)
class Switching:
    """Things that are to be switched on or off."""

    things: str
    turns_on: bool
    spans: list[Span]


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
