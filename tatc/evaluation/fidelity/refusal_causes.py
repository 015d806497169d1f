"""The likely cause of an interaction that AI2-THOR refused, which logs do not give.

It is judged from the recorded course, TEACh's own rules and plain boxes, and not from the
embedded world's shapes and placement, so that agreement can be counted for each cause.
"""

from enum import StrEnum
from math import dist

from tatc.home.actions import INTERACTION_REACH_METRES, Click, Verb
from tatc.home.camera.clicks import affords, eye_of
from tatc.home.camera.rays import Eye
from tatc.home.state import Box, ObjectState, Snapshot, Vec3, yaw_sin_cos
from tatc.home.type_facts import MUST_BE_OPEN_TYPES
from tatc.session.records.recorded_steps import RecordedAttempt
from tatc.sim.teach_interaction_rules import unmet_precondition

CLICK_SEARCH_FRACTION = 0.011
"""How far from a click its object may be, as a fraction of the frame (spec 2.4)."""
_CLICK_OFFSETS = tuple(
    (i * CLICK_SEARCH_FRACTION, j * CLICK_SEARCH_FRACTION) for i in (0, -1, 1) for j in (0, -1, 1)
)


class RefusalCause(StrEnum):
    """A possible cause of a refusal."""

    WRONG_HANDS = "hands"
    NOTHING_THERE = "nothing there"
    TOO_FAR = "distance"
    CLOSED = "closed"
    NO_SPACE = "room"
    OTHER = "other"


PRECONDITION_CAUSES = (
    RefusalCause.WRONG_HANDS,
    RefusalCause.NOTHING_THERE,
    RefusalCause.TOO_FAR,
    RefusalCause.CLOSED,
)
"""Causes that are known before trying; the others depend on physics."""


def refusal_cause(world: Snapshot, question: RecordedAttempt) -> RefusalCause:
    """Return the likeliest cause of a recorded refusal."""
    verb, held, click = question.verb, world.held_object(), question.click
    if click is None or (verb is Verb.PICKUP and held is not None):
        return RefusalCause.WRONG_HANDS
    if unmet_precondition(verb, held) is not None:
        return RefusalCause.WRONG_HANDS
    fitting = [o for o in world.objects if affords(verb, o) and not o.isPickedUp]
    met = _objects_hit(eye_of(question.agent), click, fitting)
    if not met:
        return RefusalCause.NOTHING_THERE
    distance, first = min(
        ((dist(point, question.agent.position), obj) for obj, point in met),
        key=lambda pair: pair[0],
    )
    if distance > INTERACTION_REACH_METRES:
        return RefusalCause.TOO_FAR
    if verb is not Verb.PLACE:
        return RefusalCause.OTHER
    may_open = first.objectType in MUST_BE_OPEN_TYPES and first.affordances.openable
    return RefusalCause.CLOSED if may_open and not first.isOpen else RefusalCause.NO_SPACE


def _objects_hit(
    eye: Eye, click: Click, objects: list[ObjectState]
) -> list[tuple[ObjectState, Vec3]]:
    """Return the objects whose boxes are hit by rays at and around a click, and where."""
    found: list[tuple[ObjectState, Vec3]] = []
    rays = [_ray_direction(eye, click.x + dx, click.y + dy) for dx, dy in _CLICK_OFFSETS]
    x, y, z = eye.position
    for obj in objects:
        for ray in rays:
            time = _ray_box_entry(obj.box, eye.position, ray)
            if time is not None:
                found.append((obj, (x + time * ray[0], y + time * ray[1], z + time * ray[2])))
                break
    return found


def _ray_direction(eye: Eye, x: float, y: float) -> Vec3:
    (fx, fy, fz), (rx, ry, rz), (ux, uy, uz) = eye.axes
    a, b = 2 * x - 1, 1 - 2 * y
    return fx + a * rx + b * ux, fy + a * ry + b * uy, fz + a * rz + b * uz


def _ray_box_entry(box: Box, start: Vec3, ray: Vec3) -> float | None:
    """Return the distance at which a ray enters a box: 0 from inside, None if it misses."""
    sine, cosine = yaw_sin_cos(box.yaw)
    off = [start[i] - box.center[i] for i in range(3)]
    own = (off[0] * cosine - off[2] * sine, off[1], off[0] * sine + off[2] * cosine)
    path = (ray[0] * cosine - ray[2] * sine, ray[1], ray[0] * sine + ray[2] * cosine)
    enter, leave = 0.0, float("inf")
    for at, step, size in zip(own, path, box.size, strict=True):
        if abs(step) < 1e-12:
            if abs(at) > size / 2:
                return None
            continue
        a, b = (-size / 2 - at) / step, (size / 2 - at) / step
        enter, leave = max(enter, min(a, b)), min(leave, max(a, b))
    return enter if enter <= leave else None
