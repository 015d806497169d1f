"""Find the slot of a toaster that takes bread, from the clicks that took bread out.

Each of AI2-THOR's toasters takes bread in one of its slots, to the left or to the right of
its middle.  The box does not show which, and few sessions end with bread in a toaster.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from tatc.home.actions import Click, Verb
from tatc.home.camera.clicks import eye_of
from tatc.home.camera.rays import pixel_of
from tatc.home.state import AgentState, ObjectState, Snapshot
from tatc.sim.embedded.placement.fixed_places import FIXED_PLACES
from tatc.sim.maps.open_boxes import METRE_DIGITS
from tatc.sim.maps.recorded_evidence import RecordedEvidence, RestingPose, model_name
from tatc.sim.transforms import rotate_yaw

TOASTER_TYPE = "Toaster"
MAX_SLOT_OFFSET_RATIO = 0.4
"""The greatest distance of a slot from the middle, as a share of the toaster's width."""


@dataclass(frozen=True, slots=True)
class SuccessfulInteraction:
    """An interaction that succeeded, with the Follower's pose and the object's id."""

    verb: Verb
    body: AgentState
    click: Click | None
    object_id: str


def recorded_toaster_slots(
    start: Snapshot, interactions: Iterable[SuccessfulInteraction]
) -> RecordedEvidence:
    """Return where slices stood in toasters, by the toaster's model.

    Only slices that the session put into a toaster and then took out count.

    Args:
        start: the state at the start of the session, which has the toasters.
        interactions: the session's successful interactions, in order.

    """
    toasters = {o.objectId: o for o in start.objects if o.objectType == TOASTER_TYPE}
    toaster_of: dict[str, ObjectState] = {}
    held: str | None = None
    resting_poses: dict[str, list[RestingPose]] = {}
    for interaction in interactions:
        if interaction.verb is Verb.PICKUP:
            held = interaction.object_id
            toaster = toaster_of.pop(held, None)
            rest = toaster and _rest_in_slot(toaster, interaction)
            if toaster is not None and rest:
                resting_poses.setdefault(model_name(toaster), []).append(rest)
        elif interaction.verb is Verb.PLACE:
            if held is not None and interaction.object_id in toasters:
                toaster_of[held] = toasters[interaction.object_id]
            held = None
    return RecordedEvidence({model: tuple(poses) for model, poses in resting_poses.items()})


def _rest_in_slot(toaster: ObjectState, interaction: SuccessfulInteraction) -> RestingPose | None:
    """Return where a click's ray crosses the plane in the middle of a toaster's length.

    A slice stood there, because the ray ends on the slice or within millimetres of it.
    Return None without a click, if the ray runs more along the plane than across it, or if
    the point is too far from the middle.
    """
    height, turn = FIXED_PLACES[TOASTER_TYPE].height_ratio, toaster.rotation[1]
    if interaction.click is None or height is None:
        return None
    eye = eye_of(interaction.body)
    direction = eye.ray(*pixel_of(interaction.click))
    x, y, z = (a - b for a, b in zip(eye.position, toaster.position, strict=True))
    x, _, z = rotate_yaw((x, y, z), -turn % 360.0)
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
