"""The numbers that `shading` works with, for each solid of a room: kept, and renewed.

A solid's column says where it lies, where its object lies and faces, and how it looks.
"""

from collections.abc import Sequence

import numpy as np

from tatc.camera.geometry import NOTHING
from tatc.camera.looks import Colour, Look, colours_of, look_of, seed_of
from tatc.camera.patterns import PATTERNS
from tatc.camera.rays import Floats
from tatc.camera.recipes import Body, Opening
from tatc.camera.shading import NUMBERS
from tatc.camera.shell import Shell, front_of
from tatc.camera.tracing import Target
from tatc.state import ObjectState, RoomKind, Vec3, off_quarters, turned

STOVE = "Stove"
"""The look of what stands in a room and is no object."""
HANGING = 1.2
"""A cabinet that begins higher than this hangs on the wall, metres."""
_BACK = 0.06  # half of how thick a chair's back is at most, metres
_LEGS, _WOOD = (list(PATTERNS).index(name) for name in ("legs", "wood"))
_LEAST = 1e-3  # metres that half an object counts as at least


class Columns:
    """The columns of a room's solids, and last that of the room around them."""

    def __init__(self, kind: RoomKind, shell: Shell) -> None:
        """Take the room; its kind decides the looks of floor and walls."""
        self._kind = kind.value.title().replace(" ", "")
        self._shell = shell
        self.around = target_around(shell)
        self._known: dict[int, tuple[Target, ObjectState | None]] = {}
        self._numbers = np.empty((1, NUMBERS))
        self._numbers[0] = _bare(self.around, look_of(f"Wall:{self._kind}"))

    def of(
        self,
        targets: Sequence[Target],
        owners: Sequence[int],
        objects: Sequence[ObjectState],
    ) -> Floats:
        """Return the numbers of all solids: a row for each, and one for the room."""
        missing = len(targets) + 1 - len(self._numbers)
        if missing > 0:
            more = np.empty((missing, NUMBERS))
            self._numbers = np.concatenate(
                [self._numbers[:-1], more, self._numbers[-1:]]
            )
        for row, (target, owner) in enumerate(zip(targets, owners, strict=True)):
            if owner >= len(objects):
                continue  # it is hidden: its object is no more
            thing = None if owner == NOTHING else objects[owner]
            before = self._known.get(row)
            if before is None or before[0] is not target or before[1] is not thing:
                self._known[row] = target, thing
                self._numbers[row] = self._column(target, thing)
        return self._numbers

    def _column(self, target: Target, thing: ObjectState | None) -> list[float]:
        if thing is None:
            return _bare(target, look_of(STOVE))
        room_own = f"{thing.objectType}:{self._kind}"
        look = look_of(room_own if thing.objectType == "Floor" else thing.objectType)
        quarter = round(front_of(thing, self._shell) / 90.0) % 4
        yaw = quarter * 90.0 + off_quarters(thing.box.yaw)
        return [
            *_solid(target),
            *_own(target, thing, yaw, look.pattern == _LEGS),
            float(_pattern(look, target)),
            *_flat(colours_of(look, thing)),
            _p(look, thing),
            look.q,
            float(_is_on(thing)),
            float(thing.isFilledWithLiquid),
            float(thing.isDirty),
            look.gloss,
            seed_of(thing.objectId) % 997 / 997.0,
        ]


def _bare(target: Target, look: Look) -> list[float]:
    """Return the numbers of what is no object: they lie along the world's axes."""
    return [
        *_solid(target),
        *target.center,
        0.0,
        1.0,
        *target.half,
        float(look.pattern),
        *_flat(look.colours[0]),
        look.p,
        look.q,
        *(0.0, 0.0, 0.0, look.gloss, 0.5),
    ]


def target_around(shell: Shell) -> Target:
    """Return the room as a hollow solid: rays end at its far side, from within."""
    pairs = list(zip(shell.low, shell.high, strict=True))
    x, y, z = ((a + b) / 2 for a, b in pairs)
    width, height, depth = ((b - a) / 2 for a, b in pairs)
    half = (width, height, depth)
    return Target((x, y, z), half, 0.0, 1.0, Body.BOX, Opening.ALL, False)


def _solid(target: Target) -> tuple[float, ...]:
    over = (1.0 / max(half, _LEAST) for half in target.half)
    body = float(target.body.value)
    if target.body is Body.DISC:
        body += target.half.index(min(target.half))  # about which side it is round
    return (*target.center, target.sine, target.cosine, *over, body)


def _own(
    target: Target, thing: ObjectState, yaw: float, on_legs: bool
) -> tuple[float, ...]:
    """Return an object's middle, turn, and half sizes along its own axes.

    A round thing's are those of its cylinder, whatever else is in its box; what stands
    on legs ends where its seat is.
    """
    x, y, z = thing.box.center
    width, height, depth = thing.box.size
    if round((yaw - thing.box.yaw) / 90.0) % 2:
        width, depth = depth, width
    if target.body is Body.TUBE:
        (x, _, z), width = target.center, 2 * target.half[0]
        depth = width
    if on_legs:
        y, height = target.center[1], 2 * target.half[1]
    sine, cosine = turned(yaw)
    half: Vec3 = (width / 2, height / 2, depth / 2)
    return (x, y, z, sine, cosine, *(max(h, _LEAST) for h in half))


def _flat(colours: tuple[Colour, Colour, Colour]) -> tuple[float, ...]:
    return tuple(part for colour in colours for part in colour)


def _pattern(look: Look, target: Target) -> int:
    """Return a look's pattern; of what stands on legs, the back is plain wood."""
    thin = min(target.half[0], target.half[2]) < _BACK
    return _WOOD if look.pattern == _LEGS and thin else look.pattern


def _p(look: Look, thing: ObjectState) -> float:
    if thing.objectType == "Cabinet":
        return float(thing.box.bounds()[0][1] > HANGING)
    return look.p


def _is_on(thing: ObjectState) -> bool:
    if thing.objectType == "StoveBurner":
        return thing.isToggled or thing.ObjectTemperature == "Hot"
    return thing.isToggled
