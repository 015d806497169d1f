"""What recorded sessions show of a floor plan, beyond the cells people stood on.

Four things that boxes do not tell are alike in every session of a plan: where AI2-THOR
lets things stand in a piece of furniture, into what pieces a thing of one model falls
and how deep, and how doors stand open.  All are read off recordings by `tatc rooms
import` (`shown`; `embedded.slots` for toasters) and used only where a map is asked for.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median
from types import MappingProxyType
from typing import Any, TypeVar

from tatc.sim.maps.digits import DEGREES, METRES, rounded
from tatc.sim.maps.open_boxes import OpenBox
from tatc.sim.rigid import rotated
from tatc.state import Box, ObjectState, Vec3


@dataclass(frozen=True, slots=True)
class Rest:
    """Where and how a thing rested in a receptacle.

    `at` leads from the middle of the receptacle's box, as it is when shut, to the
    thing's position, in height to its lower side, along the axes of a receptacle that
    stands at yaw 0; `rotation` is the thing's, its yaw from there.
    """

    at: Vec3
    rotation: Vec3

    def listed(self) -> list[float]:
        """Return it as six numbers."""
        return [*self.at, *self.rotation]


@dataclass(frozen=True, slots=True)
class Piece:
    """How a piece lies where its whole was cut.

    `at` leads from the whole's position to the middle of the piece's box along the axes
    of a whole that stands at yaw 0; `yaw` is the box's and `rotation` the piece's, both
    from there.
    """

    at: Vec3
    size: Vec3
    yaw: float
    rotation: Vec3

    def listed(self) -> list[float]:
        """Return it as ten numbers."""
        return [*self.at, *self.size, self.yaw, *self.rotation]


Rests = Mapping[str, tuple[Rest, ...]]
"""Rests by the receptacle's model."""
Pieces = Mapping[str, Mapping[str, Piece]]
"""Pieces by the model of the whole and by the end of their ids."""
Opened = Mapping[str, OpenBox]
"""Open boxes by the model of the thing."""
Grounds = Mapping[str, tuple[float, ...]]
"""At which heights pieces lay, metres over the middle of the box of a receptacle, as it
is when shut, by the receptacle's model."""


@dataclass(frozen=True, slots=True)
class Traces:
    """What one session, or several, show of a floor plan."""

    rests: Rests = field(default_factory=lambda: MappingProxyType({}))
    pieces: Pieces = field(default_factory=lambda: MappingProxyType({}))
    opened: Opened = field(default_factory=lambda: MappingProxyType({}))
    grounds: Grounds = field(default_factory=lambda: MappingProxyType({}))

    def __bool__(self) -> bool:
        """Whether anything was seen."""
        return bool(self.rests or self.pieces or self.opened or self.grounds)

    def listed(self) -> dict[str, Any]:
        """Return the traces as JSON values, sorted."""
        raw: dict[str, Any] = {
            "rests": {
                receptacle: sorted(rest.listed() for rest in self.rests[receptacle])
                for receptacle in sorted(self.rests)
            },
            "pieces": {
                whole: {suffix: parts[suffix].listed() for suffix in sorted(parts)}
                for whole, parts in sorted(self.pieces.items())
            },
        }
        if self.opened:
            raw["opened"] = {
                model: self.opened[model].listed() for model in sorted(self.opened)
            }
        if self.grounds:
            raw["grounds"] = {
                model: sorted(self.grounds[model]) for model in sorted(self.grounds)
            }
        return raw


NOTHING = Traces()
T = TypeVar("T", Piece, OpenBox)

UPRIGHT = 5.0
"""How far a thing that stands upright may lean, degrees."""


def together(traces: Iterable[Traces]) -> Traces:
    """Return what several sessions show.

    Of pieces and open boxes seen more than once, one in the middle stands for all.
    """
    rests: dict[str, list[Rest]] = {}
    pieces: dict[str, dict[str, list[Piece]]] = {}
    opened: dict[str, list[OpenBox]] = {}
    grounds: dict[str, list[float]] = {}
    for each in traces:
        for receptacle, seen in each.rests.items():
            rests.setdefault(receptacle, []).extend(seen)
        for whole, parts in each.pieces.items():
            for suffix, piece in parts.items():
                pieces.setdefault(whole, {}).setdefault(suffix, []).append(piece)
        for model, box in each.opened.items():
            opened.setdefault(model, []).append(box)
        for model, heights in each.grounds.items():
            grounds.setdefault(model, []).extend(heights)
    return Traces(
        {receptacle: tuple(seen) for receptacle, seen in rests.items()},
        {
            whole: {suffix: _typical(seen) for suffix, seen in parts.items()}
            for whole, parts in pieces.items()
        },
        {model: _typical(seen) for model, seen in opened.items()},
        {model: tuple(heights) for model, heights in grounds.items()},
    )


def _typical(seen: list[T]) -> T:
    """Return what lies in the middle of all that was seen, as one that was seen."""
    x, y, z = (median(each.at[i] for each in seen) for i in range(3))

    def off(each: T) -> float:
        return sum(abs(a - b) for a, b in zip(each.at, (x, y, z), strict=True))

    return min(seen, key=off)


def model_of(thing: ObjectState) -> str:
    """Return what a thing and its copies in all sessions of a plan are called."""
    return thing.name.partition("(")[0]


def rest_in(receptacle: ObjectState, case: Box, thing: ObjectState) -> Rest:
    """Return how a thing rests in a receptacle whose box, when shut, is `case`."""
    (mx, my, mz), (x, _, z) = case.center, thing.position
    under = thing.box.center[1] - thing.box.size[1] / 2
    at = rotated((x - mx, under - my, z - mz), -receptacle.rotation[1] % 360.0)
    pitch, yaw, roll = thing.rotation
    turn = (yaw - receptacle.rotation[1]) % 360.0
    return Rest(rounded(at, METRES), rounded((pitch, turn, roll), DEGREES))


def stands(rotation: Vec3) -> bool:
    """Say whether a thing that is turned so stands upright."""
    lean = (abs((angle + 180.0) % 360.0 - 180.0) for angle in rotation[::2])
    return max(lean) < UPRIGHT
