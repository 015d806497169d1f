"""In which slot of a toaster a slice stands, from where people clicked to take it out.

Each of AI2-THOR's toasters takes bread in one of its slots, to the left or to the right
of its middle; its box does not tell in which, and few sessions end with bread in it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from tatc.actions import Click, Verb
from tatc.camera.clicks import eye_of
from tatc.camera.rays import pixel_of
from tatc.sim.embedded.placing import MOUNTS
from tatc.sim.maps.digits import METRES
from tatc.sim.maps.traces import Rest, Traces, model_of
from tatc.sim.rigid import rotated
from tatc.state import AgentState, ObjectState, Snapshot

TOASTER = "Toaster"
FARTHEST = 0.4
"""A slot is no farther from the middle than this share of the toaster's width."""


@dataclass(frozen=True, slots=True)
class Deed:
    """An interaction that succeeded: the body it was done from and its object's id."""

    verb: Verb
    body: AgentState
    click: Click | None
    object_id: str


def slots_shown(start: Snapshot, deeds: Iterable[Deed]) -> Traces:
    """Return where in toasters the things stood that a session took out of them."""
    toasters = {o.objectId: o for o in start.objects if o.objectType == TOASTER}
    within: dict[str, ObjectState] = {}
    held: str | None = None
    rests: dict[str, list[Rest]] = {}
    for deed in deeds:
        if deed.verb is Verb.PICKUP:
            held = deed.object_id
            toaster = within.pop(held, None)
            found = toaster and _slot(toaster, deed)
            if toaster is not None and found:
                rests.setdefault(model_of(toaster), []).append(found)
        elif deed.verb is Verb.PLACE:
            if held is not None and deed.object_id in toasters:
                within[held] = toasters[deed.object_id]
            held = None
    return Traces({model: tuple(seen) for model, seen in rests.items()})


def _slot(toaster: ObjectState, deed: Deed) -> Rest | None:
    """Return where a click's ray crosses the middle of a toaster's length.

    That is where the slice stood, for the ray ends on it or within some millimetres.
    """
    height, turn = MOUNTS[TOASTER].height, toaster.rotation[1]
    if deed.click is None or height is None:
        return None
    eye = eye_of(deed.body)
    sight = eye.ray(*pixel_of(deed.click))
    x, y, z = (a - b for a, b in zip(eye.position, toaster.position, strict=True))
    x, _, z = rotated((x, y, z), -turn % 360.0)
    dx, _, dz = rotated(sight, -turn % 360.0)
    if abs(dz) <= abs(dx):
        return None
    aside = x - z * dx / dz
    if abs(aside) > FARTHEST * toaster.box.size[0]:
        return None
    (px, _, pz), (mx, _, mz) = toaster.position, toaster.box.center
    ox, _, oz = rotated((px - mx, 0.0, pz - mz), -turn % 360.0)
    under = (height - 0.5) * toaster.box.size[1]
    at = round(ox + aside, METRES), round(under, METRES), round(oz, METRES)
    return Rest(at, (0.0, 270.0, 0.0))
