"""What stands in a room and is no object: rays end there and mean nothing.

AI2-THOR gives burners and knobs, but no stove.  Its body fills the room under its
burners, down to the floor, unless other things are there.
"""

from collections.abc import Iterator, Sequence

from tatc.camera.rects import Rect, rect_of
from tatc.camera.solid import Solid
from tatc.state import ObjectState

RIM = 0.06
"""How far a stove reaches beyond its burners, metres each way."""
WIDEST = 1.2
"""Burners that lie farther apart than this are no one stove, metres."""
_FRONT = 0.3  # metres that its knobs are from its burners at most
_FITTED = frozenset({"Cabinet", "Drawer"})


def stoves_of(objects: Sequence[ObjectState]) -> Iterator[Solid]:
    """Yield the body of the stove whose burners are among the objects."""
    burners = [thing for thing in objects if thing.objectType == "StoveBurner"]
    if not burners:
        return
    around = _around([rect_of(thing) for thing in burners]).grown(RIM)
    if max(around.x1 - around.x0, around.z1 - around.z0) > WIDEST:
        return
    knobs = [thing for thing in objects if thing.objectType == "StoveKnob"]
    near = [thing for thing in knobs if rect_of(thing).meets(around.grown(_FRONT))]
    body = _around([around, *(_middle(thing) for thing in near)])
    top = min(thing.box.bounds()[0][1] for thing in burners)
    fitted = (thing for thing in objects if thing.objectType in _FITTED)
    if top <= 0.0 or any(_meets(thing, body.grown(-RIM), top) for thing in fitted):
        return
    x, z = (body.x0 + body.x1) / 2, (body.z0 + body.z1) / 2
    yield Solid((x, top / 2, z), (body.x1 - body.x0, top, body.z1 - body.z0))


def _around(rects: Sequence[Rect]) -> Rect:
    return Rect(
        min(rect.x0 for rect in rects),
        min(rect.z0 for rect in rects),
        max(rect.x1 for rect in rects),
        max(rect.z1 for rect in rects),
    )


def _middle(thing: ObjectState) -> Rect:
    x, _, z = thing.box.center
    return Rect(x, z, x, z)


def _meets(thing: ObjectState, body: Rect, top: float) -> bool:
    low = thing.box.bounds()[0][1]
    return low < top and rect_of(thing).meets(body)
