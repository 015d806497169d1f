"""Why AI2-THOR may have refused an interaction: logs do not say.

Judged from the recorded course, TEACh's own rules and plain boxes alone, not from this
world's shapes and rules of rest, so that agreement can be counted for each cause.
"""

from enum import StrEnum
from math import dist

from tatc.actions import Click, Verb
from tatc.affordances import affords
from tatc.camera.clicks import eye_of
from tatc.camera.rays import Eye
from tatc.records.course import Question
from tatc.sim.embedded.placing import MUST_BE_OPEN
from tatc.sim.manners import REACH, unready
from tatc.state import Box, ObjectState, Snapshot, Vec3, turned

SEARCH = 0.011
"""How far around a click its object may be, as a share of the frame (spec 2.4)."""
_SPREAD = tuple((i * SEARCH, j * SEARCH) for i in (0, -1, 1) for j in (0, -1, 1))


class Cause(StrEnum):
    """What a refusal may be owed to."""

    HANDS = "hands"
    NOTHING = "nothing there"
    FAR = "distance"
    CLOSED = "closed"
    ROOM = "room"
    OTHER = "other"


PRECONDITIONS = (Cause.HANDS, Cause.NOTHING, Cause.FAR, Cause.CLOSED)
"""What can be known before trying; the rest is physics."""


def cause_of(world: Snapshot, question: Question) -> Cause:
    """Return the likeliest cause of a recorded refusal."""
    verb, held, click = question.verb, world.held(), question.click
    if click is None or _wrong_hands(verb, held):
        return Cause.HANDS
    fitting = [o for o in world.objects if affords(verb, o) and not o.isPickedUp]
    met = _met(eye_of(question.body), click, fitting)
    if not met:
        return Cause.NOTHING
    near = [
        (thing, point)
        for thing, point in met
        if dist(point, question.body.position) <= REACH
    ]
    if not near:
        return Cause.FAR
    if verb is not Verb.PLACE:
        return Cause.OTHER
    first = min(near, key=lambda pair: dist(pair[1], question.body.position))[0]
    if first.objectType in MUST_BE_OPEN and first.affordances.openable:
        if not first.isOpen:
            return Cause.CLOSED
    return Cause.ROOM


def _wrong_hands(verb: Verb, held: ObjectState | None) -> bool:
    full = verb is Verb.PICKUP and held is not None
    return full or unready(verb, held) is not None


def _met(
    eye: Eye, click: Click, things: list[ObjectState]
) -> list[tuple[ObjectState, Vec3]]:
    """Return the things whose boxes rays at and around a click meet, and where."""
    found: list[tuple[ObjectState, Vec3]] = []
    rays = [_ray(eye, click.x + dx, click.y + dy) for dx, dy in _SPREAD]
    for thing in things:
        times = [_meets(thing.box, eye.position, ray) for ray in rays]
        for time, ray in zip(times, rays, strict=True):
            if time is not None:
                found.append((thing, _along(eye.position, ray, time)))
                break
    return found


def _along(start: Vec3, ray: Vec3, time: float) -> Vec3:
    return (
        start[0] + time * ray[0],
        start[1] + time * ray[1],
        start[2] + time * ray[2],
    )


def _ray(eye: Eye, x: float, y: float) -> Vec3:
    forward, right, up = eye.axes
    a, b = 2 * x - 1, 1 - 2 * y
    return (
        forward[0] + a * right[0] + b * up[0],
        forward[1] + a * right[1] + b * up[1],
        forward[2] + a * right[2] + b * up[2],
    )


def _meets(box: Box, start: Vec3, ray: Vec3) -> float | None:
    """Return when a ray enters a box, 0 from within, None if it misses."""
    sine, cosine = turned(box.yaw)
    off = [start[i] - box.center[i] for i in range(3)]
    own = (off[0] * cosine - off[2] * sine, off[1], off[0] * sine + off[2] * cosine)
    way = (ray[0] * cosine - ray[2] * sine, ray[1], ray[0] * sine + ray[2] * cosine)
    enter, leave = 0.0, float("inf")
    for at, step, size in zip(own, way, box.size, strict=True):
        if abs(step) < 1e-12:
            if abs(at) > size / 2:
                return None
            continue
        a, b = (-size / 2 - at) / step, (size / 2 - at) / step
        enter, leave = max(enter, min(a, b)), min(leave, max(a, b))
    return enter if enter <= leave else None
