"""The embedded world's state: objects in order, and what rays can hit of them.

All changes go through its methods, so that the list, the geometry and the look-ups
never disagree.  Objects are immutable values, so a snapshot is the list itself, and
going back to one replaces only what differs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from tatc.camera.door_geometry import closed_box, open_object
from tatc.camera.geometry import Geometry
from tatc.camera.rects import Rect
from tatc.sim.embedded.placement.counter_areas import counter_areas
from tatc.sim.maps.open_boxes import OpenBox
from tatc.sim.maps.recorded_evidence import (
    NO_EVIDENCE,
    RecordedEvidence,
    RestingPose,
    model_name,
    resting_pose_in,
)
from tatc.sim.teach_effects import Clean, Effect, FillWater
from tatc.sim.transforms import subtract, translate
from tatc.state import (
    AgentState,
    ObjectIndex,
    ObjectState,
    Snapshot,
    Vec3,
    is_invisible_to_rays,
    yaw_sin_cos,
)

HAND_AHEAD_METRES = 0.38
"""How far ahead of the body's middle a held thing is, metres (step recordings)."""
HAND_ABOVE_METRES = 0.516
"""How far above the agent's y a held thing is, metres (step recordings)."""


class WorldState:
    """Objects and agents at this moment; indices are positions in the list."""

    def __init__(self, start: Snapshot, evidence: RecordedEvidence = NO_EVIDENCE) -> None:
        """Take over the objects and agents of a start state.

        `evidence` are what other sessions show of the floor plan.
        """
        self.evidence = evidence
        self.objects = list(start.objects)
        self.commander = start.commander
        self.follower = start.follower
        self.geometry = Geometry(self.objects)
        self.resting_heights = _resting_heights(self.objects)
        self._start = start
        self.rests_at_start = _rests_by_receptacle(self.objects)
        self._closed_at_start = {
            obj.objectId: obj for obj in self.objects if closed_box(obj) is not None
        }
        self._roster = ObjectIndex.from_objects(self.objects)
        self._snapshot: Snapshot | None = None
        self._hand_moved = False
        self.held_index = _find_held_index(self.objects)
        for i, obj in enumerate(self.objects):
            if is_invisible_to_rays(obj, self.held_object):
                self.geometry.hide(i)

    @cached_property
    def free_counter_areas(self) -> Mapping[str, tuple[Rect, ...]]:
        """The free stretches of each counter as the session began, by its id."""
        return counter_areas(self._start.objects, self._start.follower.position)

    @property
    def held_object(self) -> ObjectState | None:
        """What the Follower holds, or None."""
        return None if self.held_index is None else self.objects[self.held_index]

    def find(self, object_id: str) -> ObjectState | None:
        """Return the object with this id, or None."""
        i = self._roster.by_id.get(object_id)
        return None if i is None else self.objects[i]

    def index_of(self, object_id: str) -> int:
        """Return the position of the object with this id, which must exist."""
        return self._roster.by_id[object_id]

    def of_type(self, *types: str) -> list[ObjectState]:
        """Return the objects of these types."""
        found = self._roster.by_type
        return [self.objects[i] for name in types for i in found.get(name, ())]

    def closed_at_start(self, object_id: str) -> ObjectState | None:
        """Return a fixed thing as it was when the session began, if it was shut then.

        None for a portable thing, which moves about.
        """
        return self._closed_at_start.get(object_id)

    def opened_copy(self, obj: ObjectState, point: Vec3) -> ObjectState:
        """Return a shut thing as the Follower opens it by a click at this point."""
        recorded = self.recorded_open_box(obj)
        if recorded is not None:
            return replace(obj, isOpen=True, box=recorded.to_world(obj.box))
        return open_object(obj, point, self.follower.position)

    def recorded_open_box(self, obj: ObjectState) -> OpenBox | None:
        """Return how a fixed thing stood open in other sessions, None if it did not."""
        return self.evidence.open_boxes.get(model_name(obj))

    def contents(self, object_id: str) -> list[ObjectState]:
        """Return the portable things that are in or on a receptacle, at any depth."""
        return [
            obj
            for obj in self.objects
            if obj.affordances.pickupable
            and not obj.isPickedUp
            and object_id in (obj.parentReceptacles or ())
        ]

    def set_object(self, obj: ObjectState) -> None:
        """Let an object be as given; the one with the same id goes."""
        self._set_at(self.index_of(obj.objectId), obj)

    def update_object(self, object_id: str, **values: Any) -> None:
        """Give an object's fields new values."""
        i = self.index_of(object_id)
        self._set_at(i, replace(self.objects[i], **values))

    def add_object(self, obj: ObjectState) -> None:
        """Add a new object at the end of the list."""
        self.objects.append(obj)
        self._update_geometry(len(self.objects) - 1)
        self._roster = ObjectIndex.from_objects(self.objects)
        self._snapshot = None

    def apply_effects(self, effects: Sequence[Effect]) -> None:
        """Carry out what TEACh's rules ask for."""
        for effect in effects:
            if isinstance(effect, Clean):
                self.update_object(effect.object_id, isDirty=False)
            elif isinstance(effect, FillWater):
                self.update_object(effect.object_id, isFilledWithLiquid=True)
            else:
                self.update_object(effect.object_id, **{effect.name: effect.value})

    def move_follower(self, follower: AgentState) -> None:
        """Put the Follower's body, with what it holds, somewhere else."""
        self.follower = follower
        self._snapshot = None
        self._hand_moved = self.held_index is not None

    def move_commander(self, commander: AgentState) -> None:
        """Put the Commander's camera somewhere else."""
        self.commander = commander
        self._snapshot = None

    def set_held_object(self, object_id: str | None) -> None:
        """Let the hand hold this object, or nothing."""
        self.held_index = None if object_id is None else self.index_of(object_id)
        self._hand_moved = object_id is not None

    def snapshot(self) -> Snapshot:
        """Return the present state; nothing is copied but the list of references."""
        if self._snapshot is None:
            self._move_held_with_body()
            self._snapshot = Snapshot(
                tuple(self.objects), self._roster, self.commander, self.follower
            )
        return self._snapshot

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of this house."""
        current, target = self.objects, snapshot.objects
        length = max(len(current), len(target))
        self.objects = list(target)
        self.held_index = _find_held_index(target)
        for i in range(length):
            if i >= len(target):
                self.geometry.hide(i)
            elif i >= len(current) or current[i] is not target[i]:
                self._update_geometry(i)
        self._roster = snapshot.object_index
        self.commander, self.follower = snapshot.commander, snapshot.follower
        self._hand_moved = False
        self._snapshot = snapshot

    def _set_at(self, i: int, obj: ObjectState) -> None:
        before, hand = self.objects[i], self.held_object
        self.objects[i] = obj
        self._snapshot = None
        if (
            obj.box is not before.box
            or obj.isOpen != before.isOpen
            or is_invisible_to_rays(obj, hand) != is_invisible_to_rays(before, hand)
        ):
            self._update_geometry(i)

    def _update_geometry(self, i: int) -> None:
        obj = self.objects[i]
        # Slots of slices that a restore took away are used again.
        if i >= len(self.geometry):
            self.geometry.append(obj)
        if is_invisible_to_rays(obj, self.held_object):
            self.geometry.hide(i)
        else:
            self.geometry.update(i, obj)

    def _move_held_with_body(self) -> None:
        """Let what is held, and what stands on it, follow the body."""
        if not self._hand_moved:
            return
        self._hand_moved = False
        hand = self.held_object
        if hand is None:
            return
        shift = subtract(held_position(self.follower), hand.position)
        for obj in (hand, *self.contents(hand.objectId)):
            i = self.index_of(obj.objectId)
            self.objects[i] = translate(obj, shift)


def held_position(agent: AgentState) -> Vec3:
    """Return where an agent's hand is."""
    sine, cosine = yaw_sin_cos(agent.yaw)
    x, y, z = agent.position
    return (x + HAND_AHEAD_METRES * sine, y + HAND_ABOVE_METRES, z + HAND_AHEAD_METRES * cosine)


def _find_held_index(objects: Sequence[ObjectState]) -> int | None:
    return next((i for i, obj in enumerate(objects) if obj.isPickedUp), None)


def _rests_by_receptacle(objects: Sequence[ObjectState]) -> dict[str, tuple[RestingPose, ...]]:
    """Return, by receptacle, how things stand in it at the start."""
    by_id = {obj.objectId: obj for obj in objects}
    found: dict[str, list[RestingPose]] = {}
    for obj in objects:
        if not obj.affordances.pickupable or obj.isPickedUp:
            continue
        for parent in obj.parentReceptacles or ():
            if parent in by_id:
                rest = resting_pose_in(by_id[parent], by_id[parent].box, obj)
                found.setdefault(parent, []).append(rest)
    return {parent: tuple(seen) for parent, seen in found.items()}


def _resting_heights(objects: Sequence[ObjectState]) -> dict[str, tuple[float, ...]]:
    """Return, by receptacle, the heights of the undersides of what stands in it."""
    found: dict[str, list[float]] = {}
    for obj in objects:
        if obj.affordances.pickupable and not obj.isPickedUp:
            bottom = obj.box.center[1] - obj.box.size[1] / 2
            for parent in obj.parentReceptacles or ():
                found.setdefault(parent, []).append(bottom)
    return {parent: tuple(sorted(heights)) for parent, heights in found.items()}
