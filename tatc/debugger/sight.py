"""What the Follower has before its eyes, as a list, and where to click on it."""

from dataclasses import dataclass
from math import dist

import numpy as np

from tatc.actions import Click, Verb
from tatc.affordances import affords
from tatc.camera.clicks import eye_of
from tatc.camera.geometry import NOTHING, Ids
from tatc.camera.views import Mask, Rgb, View
from tatc.errors import BadInput
from tatc.sim.embedded.render import Renderer
from tatc.state import ObjectState, Scene, Snapshot

_SIZE = 150  # pixels a side: what is smaller than 6 of TEACh's is not seen
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


class Sight:
    """The Follower's view of the moments of one session."""

    def __init__(self, scene: Scene) -> None:
        """Look around in this scene."""
        self._renderer = Renderer(scene)

    def frame(self, snapshot: Snapshot, size: int) -> Rgb:
        """Return the Follower's view as a picture of (size, size, 3) bytes."""
        rgb = self._renderer.draw(snapshot, eye_of(snapshot.follower), size).rgb
        assert rgb is not None
        return rgb

    def seen(self, snapshot: Snapshot) -> tuple[Seen, ...]:
        """Return the objects in view, nearest first; floor and walls left out."""
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
        """Return the id of the object that a click falls on, None for a wall."""
        ids = self._ids(snapshot)
        row = min(int(click.y * _SIZE), _SIZE - 1)
        index = int(ids[row, min(int(click.x * _SIZE), _SIZE - 1)])
        return None if index == NOTHING else snapshot.objects[index].objectId

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
