"""Where objects are put in receptacles that have only one place, such as toasters.

Each of AI2-THOR's toasters takes bread in one of its slots, to the left or to the right of
its middle.  The box does not show which, and few sessions end with bread in a toaster: the
clicks that took bread out show it.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from tatc.home import actions, assets
from tatc.home.camera import clicks, rays
from tatc.home.state import AgentState, ObjectState, Snapshot, Vec2, Vec3, rotate_yaw, subtract
from tatc.sim.maps.recorded_evidence import METRE_DIGITS, RecordedEvidence, RestingPose, model_name


@dataclass(frozen=True, slots=True)
class FixedPlace:
    """The one place in a receptacle that has only one, as shares of the receptacle's box.

    `forward_ratio` is the distance from the middle towards the front, as a share of the
    depth.  `height_ratio` is the height above the lower side, as a share of the height; None
    means the height of the surface.  If `at_object_position` is true, x and z start from the
    receptacle's position instead of the middle of its box.
    """

    forward_ratio: float = 0.0
    height_ratio: float | None = None
    at_object_position: bool = False


FIXED_PLACES = {
    "CoffeeMachine": FixedPlace(forward_ratio=0.3),
    # Which of two slots takes bread differs between toasters; this point is between them.
    "Toaster": FixedPlace(height_ratio=0.44, at_object_position=True),
}
"""The fixed places of the `ACCEPTED_TYPES` whose place is not in the middle (recorded ends)."""


def attached_pose(receptacle: ObjectState) -> tuple[Vec3, float] | None:
    """Return position (world, metres) and yaw (degrees) of what a known asset takes, or None."""
    known = assets.attach_point(receptacle.objectType, receptacle.mass, receptacle.box.size)
    if known is None:
        return None
    (offset, yaw), turn = known, receptacle.rotation[1]
    (dx, dy, dz), (x, y, z) = rotate_yaw(offset, turn), receptacle.position
    return (x + dx, y + dy, z + dz), (turn + yaw) % 360.0


def fixed_point(receptacle: ObjectState, surface_y: float, seen: Sequence[Vec2]) -> Vec3:
    """Return where an object's position comes to be, and the height of its lower side, metres.

    `surface_y` is the height of the receptacle's surface.  `seen` are the x and z of objects that
    rested there in recorded sessions; their medians count more than what the box tells.
    """
    place = FIXED_PLACES.get(receptacle.objectType, FixedPlace())
    (x, y, z), (_, height, depth) = receptacle.box.center, receptacle.box.size
    if place.at_object_position:
        x, _, z = receptacle.position
    dx, _, dz = rotate_yaw((0.0, 0.0, place.forward_ratio * depth), receptacle.rotation[1])
    x, z = x + dx, z + dz
    if seen:
        x, z = median(x for x, _ in seen), median(z for _, z in seen)
    if place.height_ratio is not None:
        surface_y = y + (place.height_ratio - 0.5) * height
    return x, surface_y, z


TOASTER_TYPE = "Toaster"
MAX_SLOT_OFFSET_RATIO = 0.4
"""The greatest distance of a slot from the middle, as a share of the toaster's width."""


@dataclass(frozen=True, slots=True)
class SuccessfulInteraction:
    """An interaction that succeeded, with the Follower's pose and the object's id."""

    verb: actions.Verb
    body: AgentState
    click: actions.Click | None
    object_id: str


def recorded_toaster_slots(
    start: Snapshot, interactions: Iterable[SuccessfulInteraction]
) -> RecordedEvidence:
    """Return where slices stood in toasters, by the toaster's model.

    Only slices put in and then taken out count; `interactions` are the successful ones, in order.
    """
    toasters = {o.objectId: o for o in start.objects if o.objectType == TOASTER_TYPE}
    toaster_of: dict[str, ObjectState] = {}
    held: str | None = None
    found = defaultdict[str, list[RestingPose]](list)
    for interaction in interactions:
        if interaction.verb is actions.Verb.PICKUP:
            held = interaction.object_id
            toaster = toaster_of.pop(held, None)
            rest = toaster and _rest_in_slot(toaster, interaction)
            if toaster is not None and rest:
                found[model_name(toaster)].append(rest)
        elif interaction.verb is actions.Verb.PLACE:
            if held is not None and interaction.object_id in toasters:
                toaster_of[held] = toasters[interaction.object_id]
            held = None
    return RecordedEvidence({model: tuple(poses) for model, poses in found.items()})


def _rest_in_slot(toaster: ObjectState, interaction: SuccessfulInteraction) -> RestingPose | None:
    """Return where a click's ray crosses the plane in the middle of a toaster's length.

    A slice stood there, because the ray ends on the slice or within millimetres of it.
    """
    height, turn = FIXED_PLACES[TOASTER_TYPE].height_ratio, toaster.rotation[1]
    if interaction.click is None or height is None:
        return None
    eye = clicks.eye_of(interaction.body)
    direction = eye.ray(*rays.pixel_of(interaction.click))
    x, _, z = rotate_yaw(subtract(eye.position, toaster.position), -turn % 360.0)
    dx, _, dz = rotate_yaw(direction, -turn % 360.0)
    if abs(dz) <= abs(dx):
        return None
    slot_x = x - z * dx / dz
    if abs(slot_x) > MAX_SLOT_OFFSET_RATIO * toaster.box.size[0]:
        return None
    (px, _, pz), (mx, _, mz) = toaster.position, toaster.box.center
    ox, _, oz = rotate_yaw((px - mx, 0.0, pz - mz), -turn % 360.0)
    under = (height - 0.5) * toaster.box.size[1]
    at = (round(ox + slot_x, METRE_DIGITS), round(under, METRE_DIGITS), round(oz, METRE_DIGITS))
    return RestingPose(at, (0.0, 270.0, 0.0))
