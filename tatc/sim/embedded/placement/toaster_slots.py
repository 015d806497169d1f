"""In which slot of a toaster a slice stands, from where people clicked to take it out.

Each of AI2-THOR's toasters takes bread in one of its slots, to the left or to the right
of its middle; its box does not tell in which, and few sessions end with bread in it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from tatc.actions import Click, Verb
from tatc.camera.clicks import eye_of
from tatc.camera.rays import pixel_of
from tatc.sim.embedded.placement.placement_search import FIXED_PLACES
from tatc.sim.maps.recorded_evidence import RecordedEvidence, RestingPose, model_name
from tatc.sim.maps.rounding import METRE_DIGITS
from tatc.sim.transforms import rotate_yaw
from tatc.state import AgentState, ObjectState, Snapshot

TOASTER_TYPE = "Toaster"
MAX_SLOT_OFFSET_RATIO = 0.4
"""A slot is no farther from the middle than this share of the toaster's width."""


@dataclass(frozen=True, slots=True)
class SuccessfulInteraction:
    """An interaction that succeeded: the body it was done from and its object's id."""

    verb: Verb
    body: AgentState
    click: Click | None
    object_id: str


def recorded_toaster_slots(
    start: Snapshot, interactions: Iterable[SuccessfulInteraction]
) -> RecordedEvidence:
    """Return where in toasters the things stood that a session took out of them."""
    toasters = {o.objectId: o for o in start.objects if o.objectType == TOASTER_TYPE}
    toaster_of: dict[str, ObjectState] = {}
    held: str | None = None
    rests: dict[str, list[RestingPose]] = {}
    for interaction in interactions:
        if interaction.verb is Verb.PICKUP:
            held = interaction.object_id
            toaster = toaster_of.pop(held, None)
            rest = toaster and _rest_in_slot(toaster, interaction)
            if toaster is not None and rest:
                rests.setdefault(model_name(toaster), []).append(rest)
        elif interaction.verb is Verb.PLACE:
            if held is not None and interaction.object_id in toasters:
                toaster_of[held] = toasters[interaction.object_id]
            held = None
    return RecordedEvidence({model: tuple(seen) for model, seen in rests.items()})


def _rest_in_slot(toaster: ObjectState, interaction: SuccessfulInteraction) -> RestingPose | None:
    """Return where a click's ray crosses the middle of a toaster's length.

    That is where the slice stood, for the ray ends on it or within some millimetres.
    """
    height, turn = FIXED_PLACES[TOASTER_TYPE].height_ratio, toaster.rotation[1]
    if interaction.click is None or height is None:
        return None
    eye = eye_of(interaction.body)
    sight = eye.ray(*pixel_of(interaction.click))
    x, y, z = (a - b for a, b in zip(eye.position, toaster.position, strict=True))
    x, _, z = rotate_yaw((x, y, z), -turn % 360.0)
    dx, _, dz = rotate_yaw(sight, -turn % 360.0)
    if abs(dz) <= abs(dx):
        return None
    aside = x - z * dx / dz
    if abs(aside) > MAX_SLOT_OFFSET_RATIO * toaster.box.size[0]:
        return None
    (px, _, pz), (mx, _, mz) = toaster.position, toaster.box.center
    ox, _, oz = rotate_yaw((px - mx, 0.0, pz - mz), -turn % 360.0)
    under = (height - 0.5) * toaster.box.size[1]
    at = (round(ox + aside, METRE_DIGITS), round(under, METRE_DIGITS), round(oz, METRE_DIGITS))
    return RestingPose(at, (0.0, 270.0, 0.0))
