"""What stands in a room but is no object: rays end there without meaning any object.

AI2-THOR gives burners and knobs, but no stove.  The stove's body fills the space under its
burners, down to the floor, unless other objects are there.
"""

from collections.abc import Iterator, Sequence

from tatc.home.camera.rects import Rect, footprint_of
from tatc.home.camera.solids import Solid
from tatc.home.state import ObjectState
from tatc.home.types.facts import BURNER_TYPE, FRONT_TYPES, KNOB_TYPE

STOVE_MARGIN_METRES = 0.06
"""How far a stove reaches beyond its burners on each side, metres."""
MAX_STOVE_METRES = 1.2
"""Burners spread over more than this do not make one stove, metres."""
_MAX_KNOB_DISTANCE_METRES = 0.3  # how far a stove's knobs are from its burners at most


def stove_solids(objects: Sequence[ObjectState]) -> Iterator[Solid]:
    """Yield the body of the stove whose burners are among the objects, if there is one."""
    burners = [obj for obj in objects if obj.objectType == BURNER_TYPE]
    if not burners:
        return
    around = _bounding_rect([footprint_of(obj) for obj in burners]).expand(STOVE_MARGIN_METRES)
    if max(around.x1 - around.x0, around.z1 - around.z0) > MAX_STOVE_METRES:
        return
    knobs = [obj for obj in objects if obj.objectType == KNOB_TYPE]
    near = [
        obj for obj in knobs if footprint_of(obj).overlaps(around.expand(_MAX_KNOB_DISTANCE_METRES))
    ]
    body = _bounding_rect([around, *(_center_rect(obj) for obj in near)])
    top = min(obj.box.bounds()[0][1] for obj in burners)
    fitted = (obj for obj in objects if obj.objectType in FRONT_TYPES)
    if top <= 0.0 or any(
        _intersects_stove(obj, body.expand(-STOVE_MARGIN_METRES), top) for obj in fitted
    ):
        return
    x, z = (body.x0 + body.x1) / 2, (body.z0 + body.z1) / 2
    yield Solid((x, top / 2, z), (body.x1 - body.x0, top, body.z1 - body.z0))


def _bounding_rect(rects: Sequence[Rect]) -> Rect:
    return Rect(
        min(rect.x0 for rect in rects),
        min(rect.z0 for rect in rects),
        max(rect.x1 for rect in rects),
        max(rect.z1 for rect in rects),
    )


def _center_rect(obj: ObjectState) -> Rect:
    x, _, z = obj.box.center
    return Rect(x, z, x, z)


def _intersects_stove(obj: ObjectState, body: Rect, top: float) -> bool:
    low = obj.box.bounds()[0][1]
    return low < top and footprint_of(obj).overlaps(body)
