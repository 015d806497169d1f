"""Draws what an eye sees of a list of objects: by numpy, or by numba where it is there.

Both ways give the same pixels to the last bit.
"""

from collections.abc import Collection, Sequence
from importlib.util import find_spec
from typing import Protocol

import numpy as np

from tatc.camera import painting
from tatc.camera.air import Air, air_of
from tatc.camera.columns import Columns
from tatc.camera.geometry import NOTHING, Geometry, Ids
from tatc.camera.rays import Eye, Floats, Rgb
from tatc.camera.shell import shell_of
from tatc.camera.tracing import Target
from tatc.camera.views import View, Views, classes_of, types_of
from tatc.errors import MissingExtra
from tatc.state import ObjectState, RoomKind


class Engine(Protocol):
    """What draws frames: `painting` does, and so does `compiled`."""

    def trace(self, geometry: Geometry, eye: Eye, size: int) -> tuple[Ids, Floats]:
        """Return which solids a frame shows, and how deep."""
        ...

    def surround(
        self, seen: Ids, depths: Floats, eye: Eye, around: Target, number: int
    ) -> None:
        """Let pixels that show nothing show the room around."""
        ...

    def paint(
        self, seen: Ids, depths: Floats, eye: Eye, columns: Floats, air: Air
    ) -> Rgb:
        """Return the colours of a frame."""
        ...


class Painter:
    """Draws one room, and keeps what does not change from frame to frame."""

    def __init__(
        self, kind: RoomKind, objects: Sequence[ObjectState], fast: bool | None = None
    ) -> None:
        """Take the room as it is when a session starts.

        `fast` says whether to draw with numba; None: where it is installed.

        Raises:
            MissingExtra: numba is asked for and not installed.

        """
        there = find_spec("numba") is not None
        if fast and not there:
            raise MissingExtra("fast", "numba")
        self._fast = there if fast is None else fast
        self._shell = shell_of(objects)
        self._kind = kind
        self._columns = Columns(kind, self._shell)
        self._air: tuple[list[Target], Air] | None = None

    def draw(
        self,
        geometry: Geometry,
        objects: Sequence[ObjectState],
        eye: Eye,
        size: int,
        what: Collection[View],
        held: ObjectState | None = None,
    ) -> Views:
        """Return what an eye sees; the geometry must be that of the objects.

        `held` is what the hand holds, where it is to be seen: in the colours alone, for
        rays pass it by, as clicks do.
        """
        engine = self._engine()
        seen, depths = engine.trace(geometry, eye, size)
        if View.RGB in what or View.DEPTH in what:
            around, number = self._columns.around, len(geometry.targets)
            engine.surround(seen, depths, eye, around, number)
        rgb = None
        if View.RGB in what:
            columns = self._columns.of(geometry.targets, geometry.owners, objects)
            air = self._air_around(geometry)
            rgb = engine.paint(seen, depths, eye, columns, air)
            if held is not None:
                self._paint_held(rgb, held, eye, air)
        owners = np.array([*geometry.owners, NOTHING, NOTHING], dtype=np.int32)
        ids, types = owners[seen], types_of(objects)
        classes = View.CLASSES in what
        return Views(
            rgb=rgb,
            ids=ids if View.IDS in what else None,
            classes=classes_of(ids, objects, types) if classes else None,
            depth=depths.astype(np.float32) if View.DEPTH in what else None,
            types=types,
        )

    def _paint_held(self, rgb: Rgb, held: ObjectState, eye: Eye, air: Air) -> None:
        """Paint what the hand holds over all else."""
        hand, engine = Geometry([held]), self._engine()
        seen, depths = engine.trace(hand, eye, len(rgb))
        columns = Columns(self._kind, self._shell).of(hand.targets, hand.owners, [held])
        shown = seen != NOTHING
        rgb[shown] = engine.paint(seen, depths, eye, columns, air)[shown]

    def _engine(self) -> Engine:
        if not self._fast:
            return painting
        from tatc.camera import compiled  # slow to import, and it may not be there

        return compiled

    def _air_around(self, geometry: Geometry) -> Air:
        """Return the room's air, made anew where solids have changed."""
        shown = [geometry.targets[row] for row in geometry.shown]
        if self._air is None or not _same(shown, self._air[0]):
            air = air_of(shown, self._shell.low, self._shell.high)
            self._air = shown, air
        return self._air[1]


def _same(some: Sequence[Target], others: Sequence[Target]) -> bool:
    pairs = zip(some, others, strict=False)
    return len(some) == len(others) and all(one is other for one, other in pairs)
