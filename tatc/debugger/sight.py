"""What the Follower has before its eyes, as a list, and where to click on it."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from math import dist
from typing import Generic, TypeVar

import numpy as np

from tatc.actions import Click, Verb
from tatc.affordances import affords
from tatc.camera.clicks import eye_of
from tatc.camera.geometry import NOTHING, Ids
from tatc.camera.views import Mask, Rgb, View
from tatc.errors import BadInput
from tatc.sim.embedded.render import Renderer
from tatc.state import ObjectState, Scene, Snapshot
from tatc.timeline.moment import same_objects

T = TypeVar("T")

_SIZE = 150  # pixels a side: what is smaller than 6 of TEACh's is not seen
_KEPT = 500  # moments of which is kept what was seen
_BACKDROP = frozenset({"Floor", "Wall", "Ceiling"})


@dataclass(frozen=True, slots=True)
class Seen:
    """An object in view.

    `share` is the part of the frame that it takes, `distance` in metres from the
    Follower's body, `side` where it is: "left", "ahead", "right".
    """

    thing: ObjectState
    share: float
    distance: float
    side: str


class _Kept(Generic[T]):
    """What was seen at the moments looked at last, so that going back is instant."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int], tuple[Snapshot, T]] = OrderedDict()

    def of(self, snapshot: Snapshot, size: int, make: Callable[[], T]) -> T:
        """Return what is kept of a snapshot, or make it."""
        # A snapshot is compared by all it holds; the one itself is meant here, and
        # keeping it keeps its number its own.
        key = id(snapshot), size
        if key not in self._kept:
            self._kept[key] = snapshot, make()
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key][1]


class Sight:
    """The Follower's view of the moments of one session."""

    def __init__(self, scene: Scene) -> None:
        """Look around in this scene."""
        self._renderer = Renderer(scene)
        self._looks = _Kept[tuple[Seen, ...]]()
        self._small = _Kept[Rgb]()
        self._met: tuple[Snapshot, Click, str | None] | None = None

    def frame(self, snapshot: Snapshot, size: int) -> Rgb:
        """Return the Follower's view as a picture of (size, size, 3) bytes."""
        if size > _SIZE:
            return self._frame(snapshot, size)
        return self._small.of(snapshot, size, lambda: self._frame(snapshot, size))

    def _frame(self, snapshot: Snapshot, size: int) -> Rgb:
        rgb = self._renderer.draw(snapshot, eye_of(snapshot.follower), size).rgb
        assert rgb is not None
        return rgb

    def seen(self, snapshot: Snapshot) -> tuple[Seen, ...]:
        """Return the objects in view, nearest first; floor and walls left out."""
        return self._looks.of(snapshot, _SIZE, lambda: self._look(snapshot))

    def _look(self, snapshot: Snapshot) -> tuple[Seen, ...]:
        ids = self._ids(snapshot)
        found: list[Seen] = []
        indices: list[int] = np.unique(ids).tolist()
        for i in indices:
            if i == NOTHING or snapshot.objects[i].objectType in _BACKDROP:
                continue
            mask = ids == i
            thing = snapshot.objects[i]
            share = float(mask.mean())
            middle = float(np.nonzero(mask)[1].mean()) / _SIZE
            away = dist(thing.box.center, snapshot.follower.position)
            found.append(Seen(thing, share, away, _side(middle)))
        return tuple(sorted(found, key=lambda seen: (seen.distance, seen.share)))

    def click(self, snapshot: Snapshot, verb: Verb, name: str) -> Click:
        """Return where to click on an object in view, named by its type or id.

        Of several the nearest that the verb fits is taken, and the pixel of it that is
        nearest to the middle of what is seen of it.

        Raises:
            BadInput: no such object is in view.

        """
        ids = self._ids(snapshot)
        plain = name.lower()
        named = [
            seen
            for seen in self.seen(snapshot)
            if plain in (seen.thing.objectType.lower(), seen.thing.objectId.lower())
        ]
        if not named:
            fix = "turn to it first, or give the click: Pickup 0.5 0.5"
            raise BadInput(f"no {name} is in view", fix=fix)
        fitting = [seen for seen in named if affords(verb, seen.thing)] or named
        target = fitting[0].thing
        mask = ids == snapshot.roster.index[target.objectId]
        row, column = _middle(mask)
        return Click(round((column + 0.5) / _SIZE, 3), round((row + 0.5) / _SIZE, 3))

    def meets(self, snapshot: Snapshot, click: Click) -> str | None:
        """Return the id of the object that a click falls on, None for a wall.

        Asked again from the same place while nothing changes, it does not look again.
        """
        if self._met is not None:
            then, what, found = self._met
            same = what == click and then.follower == snapshot.follower
            if same and same_objects(then, snapshot):
                return found
        ids = self._ids(snapshot)
        row = min(int(click.y * _SIZE), _SIZE - 1)
        index = int(ids[row, min(int(click.x * _SIZE), _SIZE - 1)])
        found = None if index == NOTHING else snapshot.objects[index].objectId
        self._met = snapshot, click, found
        return found

    def _ids(self, snapshot: Snapshot) -> Ids:
        eye = eye_of(snapshot.follower)
        ids = self._renderer.draw(snapshot, eye, _SIZE, (View.IDS,)).ids
        assert ids is not None
        return ids


def _side(middle: float) -> str:
    if middle < 0.4:
        return "left"
    return "right" if middle > 0.6 else "ahead"


def _middle(mask: Mask) -> tuple[int, int]:
    """Return the pixel of a mask nearest to its centre of gravity: row, column."""
    pixels = np.argwhere(mask)
    away = pixels - pixels.mean(axis=0)
    row, column = pixels[int((away**2).sum(axis=1).argmin())].tolist()
    return row, column
