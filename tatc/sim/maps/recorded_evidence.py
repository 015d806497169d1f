"""What recorded sessions show of a floor plan, beyond the cells people stood on.

Four things that boxes do not tell are alike in every session of a plan: where AI2-THOR
lets things stand in a piece of furniture, into what pieces a thing of one model falls
and how deep, and how doors stand open.  All are read off recordings by `tatc rooms
import` (`extract_evidence`; `embedded.slots` for toasters) and used only where a map is asked for.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median
from types import MappingProxyType
from typing import Any, TypeVar

from tatc.sim.maps.open_boxes import OpenBox
from tatc.sim.maps.rounding import DEGREE_DIGITS, METRE_DIGITS, round_vector
from tatc.sim.transforms import rotate_yaw
from tatc.state import Box, ObjectState, Vec3


@dataclass(frozen=True, slots=True)
class RestingPose:
    """Where and how a thing rested in a receptacle.

    `offset` leads from the middle of the receptacle's box, as it is when shut, to the
    thing's position, in height to its lower side, along the axes of a receptacle that
    stands at yaw 0; `rotation` is the thing's, its yaw from there.
    """

    offset: Vec3
    rotation: Vec3

    def to_json(self) -> list[float]:
        """Return it as six numbers."""
        return [*self.offset, *self.rotation]


@dataclass(frozen=True, slots=True)
class SlicePlacement:
    """How a piece lies where its whole was cut.

    `offset` leads from the whole's position to the middle of the piece's box along the axes
    of a whole that stands at yaw 0; `box_yaw` is the box's and `rotation` the piece's, both
    from there.
    """

    offset: Vec3
    size: Vec3
    box_yaw: float
    rotation: Vec3

    def to_json(self) -> list[float]:
        """Return it as ten numbers."""
        return [*self.offset, *self.size, self.box_yaw, *self.rotation]


RestingPoses = Mapping[str, tuple[RestingPose, ...]]
"""Rests by the receptacle's model."""
SlicePlacements = Mapping[str, Mapping[str, SlicePlacement]]
"""Pieces by the model of the whole and by the end of their ids."""
OpenBoxes = Mapping[str, OpenBox]
"""Open boxes by the model of the thing."""
LandingHeights = Mapping[str, tuple[float, ...]]
"""At which heights pieces lay, metres over the middle of the box of a receptacle, as it
is when shut, by the receptacle's model."""


@dataclass(frozen=True, slots=True)
class RecordedEvidence:
    """What one session, or several, show of a floor plan."""

    resting_poses: RestingPoses = field(default_factory=lambda: MappingProxyType({}))
    slices: SlicePlacements = field(default_factory=lambda: MappingProxyType({}))
    open_boxes: OpenBoxes = field(default_factory=lambda: MappingProxyType({}))
    landing_heights: LandingHeights = field(default_factory=lambda: MappingProxyType({}))

    def __bool__(self) -> bool:
        """Whether anything was seen."""
        return bool(self.resting_poses or self.slices or self.open_boxes or self.landing_heights)

    def to_json(self) -> dict[str, Any]:
        """Return the traces as JSON values, sorted."""
        raw: dict[str, Any] = {
            "rests": {
                receptacle: sorted(rest.to_json() for rest in self.resting_poses[receptacle])
                for receptacle in sorted(self.resting_poses)
            },
            "pieces": {
                whole: {suffix: parts[suffix].to_json() for suffix in sorted(parts)}
                for whole, parts in sorted(self.slices.items())
            },
        }
        if self.open_boxes:
            raw["opened"] = {
                model: self.open_boxes[model].to_json() for model in sorted(self.open_boxes)
            }
        if self.landing_heights:
            raw["grounds"] = {
                model: sorted(self.landing_heights[model]) for model in sorted(self.landing_heights)
            }
        return raw


NO_EVIDENCE = RecordedEvidence()
T = TypeVar("T", SlicePlacement, OpenBox)

MAX_LEAN_DEGREES = 5.0
"""How far a thing that stands upright may lean, degrees."""


def merge_evidence(evidence: Iterable[RecordedEvidence]) -> RecordedEvidence:
    """Return what several sessions show.

    Of pieces and open boxes seen more than once, one in the middle stands for all.
    """
    rests: dict[str, list[RestingPose]] = {}
    pieces: dict[str, dict[str, list[SlicePlacement]]] = {}
    opened: dict[str, list[OpenBox]] = {}
    grounds: dict[str, list[float]] = {}
    for each in evidence:
        for receptacle, seen in each.resting_poses.items():
            rests.setdefault(receptacle, []).extend(seen)
        for whole, parts in each.slices.items():
            for suffix, piece in parts.items():
                pieces.setdefault(whole, {}).setdefault(suffix, []).append(piece)
        for model, box in each.open_boxes.items():
            opened.setdefault(model, []).append(box)
        for model, heights in each.landing_heights.items():
            grounds.setdefault(model, []).extend(heights)
    return RecordedEvidence(
        {receptacle: tuple(seen) for receptacle, seen in rests.items()},
        {
            whole: {suffix: _most_central(seen) for suffix, seen in parts.items()}
            for whole, parts in pieces.items()
        },
        {model: _most_central(seen) for model, seen in opened.items()},
        {model: tuple(heights) for model, heights in grounds.items()},
    )


def _most_central(observed: list[T]) -> T:
    """Return what lies in the middle of all that was seen, as one that was seen."""
    x, y, z = (median(each.offset[i] for each in observed) for i in range(3))

    def off(each: T) -> float:
        return sum(abs(a - b) for a, b in zip(each.offset, (x, y, z), strict=True))

    return min(observed, key=off)


def model_name(obj: ObjectState) -> str:
    """Return what a thing and its copies in all sessions of a plan are called."""
    return obj.name.partition("(")[0]


def resting_pose_in(receptacle: ObjectState, case: Box, obj: ObjectState) -> RestingPose:
    """Return how a thing rests in a receptacle whose box, when shut, is `case`."""
    (mx, my, mz), (x, _, z) = case.center, obj.position
    under = obj.box.center[1] - obj.box.size[1] / 2
    at = rotate_yaw((x - mx, under - my, z - mz), -receptacle.rotation[1] % 360.0)
    pitch, yaw, roll = obj.rotation
    turn = (yaw - receptacle.rotation[1]) % 360.0
    return RestingPose(
        round_vector(at, METRE_DIGITS), round_vector((pitch, turn, roll), DEGREE_DIGITS)
    )


def is_upright(rotation: Vec3) -> bool:
    """Say whether a thing that is turned so stands upright."""
    lean = (abs((angle + 180.0) % 360.0 - 180.0) for angle in rotation[::2])
    return max(lean) < MAX_LEAN_DEGREES
