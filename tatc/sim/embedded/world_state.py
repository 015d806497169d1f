"""The state of the embedded world: the objects in order, and the geometry that rays hit.

All changes go through the methods of `WorldState`, so that the list, the geometry and the
indices always agree.  Objects are immutable values.  A snapshot therefore copies only the
list, and a restore replaces only the objects that differ.
"""

from collections import defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

from tatc.home import containment, state
from tatc.home.camera import door_geometry, solids
from tatc.home.camera.geometry import Geometry
from tatc.sim.floorplan.counter_areas import counter_areas
from tatc.sim.maps import recorded_evidence
from tatc.sim.teach_effects import SetProperty

HAND_AHEAD_METRES = 0.38
"""How far a held object is in front of the body's middle, metres (recorded steps)."""
HAND_ABOVE_METRES = 0.516
"""How far a held object is above the agent's position, metres (recorded steps)."""
TEACH_PLACING_REACH_METRES = 1.5  # AI2-THOR's visibilityDistance as TEACh sets it
_FIELDS_OF_SHAPE = attrgetter("isOpen", "parentReceptacles", "position", "rotation", "objectId")


@dataclass(frozen=True, slots=True)
class Bystanders:
    """The agents beside the Follower: where their bodies are, and the ids of what they hold."""

    bodies: tuple[state.Vec3, ...] = ()
    held: frozenset[str] = frozenset()


NO_BYSTANDERS = Bystanders()


class WorldState:
    """The present objects and agents; an object's index is its position in the list."""

    def __init__(
        self,
        start: state.Snapshot,
        evidence: recorded_evidence.RecordedEvidence = recorded_evidence.NO_EVIDENCE,
        bystanders: Bystanders = NO_BYSTANDERS,
    ) -> None:
        """Take a start state, what other sessions show about the floor plan, and other agents."""
        self.evidence = evidence
        self.bystanders = bystanders
        self.placing_reach_metres = TEACH_PLACING_REACH_METRES
        """How far from the body, measured level, things can be put down."""
        self.objects = list(start.objects)
        self.commander = start.commander
        self.follower = start.follower
        self._start = start
        self.ran_at_start = containment.faucets_running(start)
        self.rests_on_surfaces = dict[
            tuple[object, ...],
            tuple[tuple[tuple[float, float], recorded_evidence.RestingPose], ...],
        ]()
        self.yaws_of_surfaces = dict[tuple[object, ...], float]()
        """How things rested on surfaces and how they are turned, by place and surface."""
        self.obstacles = dict[str, tuple[state.ObjectState, Any]]()
        """What `placement.obstacles` makes of each object, by id, and of which state of it."""
        self.surfaces = dict[tuple[object, ...], Any]()
        """The surfaces that `placement.observed_surfaces` found on each receptacle, by place."""
        self._index = start.object_index
        self._snapshot: state.Snapshot | None = None
        self.version = 0
        """It grows with each change of an object, except where what is held follows the body."""
        self.settled_version = -1
        """The last version on which the rules that run after an interaction changed nothing."""
        self._hand_moved = False
        self.held_index = _find_held_index(self.objects, bystanders.held)
        hand = self.held_object
        self._hidden = [i for i, o in enumerate(self.objects) if self._is_invisible(o, hand)]

    @cached_property
    def geometry(self) -> Geometry:
        """What rays hit.  It is made, as the world began, when it is first asked for or changes."""
        made = Geometry.of_room(self._start.objects)
        for i in self._hidden:
            made.hide(i)
        return made

    @cached_property
    def closed_at_start(self) -> Callable[[str], state.ObjectState | None]:
        """Returns a fixed object as it was when the session began, if it was closed then."""
        closed = (obj for obj in self._start.objects if door_geometry.closed_box(obj) is not None)
        return {obj.objectId: obj for obj in closed}.get

    @cached_property
    def resting_heights(self) -> Mapping[str, tuple[float, ...]]:
        """The heights of the lower sides of what rested at the start, by receptacle, ascending."""
        found = defaultdict[str, list[float]](list)
        for obj in _resting_objects(self._start.objects):
            for parent in obj.parentReceptacles or ():
                found[parent].append(obj.box.bottom)
        return {parent: tuple(sorted(heights)) for parent, heights in found.items()}

    @cached_property
    def rests_at_start(self) -> Mapping[str, tuple[recorded_evidence.RestingPose, ...]]:
        """How objects rested at the start, by the id of what they were in or on."""
        found = defaultdict[str, list[recorded_evidence.RestingPose]](list)
        for obj in _resting_objects(self._start.objects):
            for parent in map(self._start.get, obj.parentReceptacles or ()):
                if parent is not None:
                    rest = recorded_evidence.resting_pose_in(parent, parent.box, obj)
                    found[parent.objectId].append(rest)
        return {parent: tuple(seen) for parent, seen in found.items()}

    @cached_property
    def free_counter_areas(self) -> Mapping[str, tuple[solids.Rect, ...]]:
        """The free areas of each counter at the start of the session, by the counter's id."""
        return counter_areas(self._start.objects, self._start.follower.position)

    @property
    def held_object(self) -> state.ObjectState | None:
        """The object that the Follower holds, or None."""
        return None if self.held_index is None else self.objects[self.held_index]

    def find(self, object_id: str) -> state.ObjectState | None:
        """Return the object with this id, or None."""
        i = self._index.by_id.get(object_id)
        return None if i is None else self.objects[i]

    def index_of(self, object_id: str) -> int:
        """Return the index of the object with this id, which must exist."""
        return self._index.by_id[object_id]

    def of_type(self, *types: str) -> list[state.ObjectState]:
        """Return the objects of these types, type by type."""
        by_type = self._index.by_type
        return [self.objects[i] for name in types for i in by_type.get(name, ())]

    def opened_copy(self, obj: state.ObjectState, point: state.Vec3) -> state.ObjectState:
        """Return an object as opened by a click at `point`, as other sessions show if they do."""
        recorded = self.recorded_open_box(obj)
        if recorded is not None:
            return obj.with_values(isOpen=True, box=recorded.to_world(obj.box))
        return door_geometry.open_object(obj, point, self.follower.position)

    def recorded_open_box(self, obj: state.ObjectState) -> recorded_evidence.OpenBox | None:
        """Return how other sessions show an object open, or None if they do not."""
        return self.evidence.open_boxes.get(recorded_evidence.model_name(obj))

    def contents(self, object_id: str) -> list[state.ObjectState]:
        """Return the pickupable objects that are in or on a receptacle, at any depth."""
        resting = _resting_objects(self.objects)
        return [obj for obj in resting if object_id in (obj.parentReceptacles or ())]

    def set_object(self, obj: state.ObjectState) -> None:
        """Replace the object that has the same id."""
        self._set_at(self.index_of(obj.objectId), obj)

    def update_object(self, object_id: str, **values: Any) -> None:
        """Set fields of an object to new values."""
        i = self.index_of(object_id)
        self._set_at(i, self.objects[i].with_values(**values))

    def add_object(self, obj: state.ObjectState) -> None:
        """Add a new object at the end of the list."""
        self.objects.append(obj)
        self.update_geometry(len(self.objects) - 1)
        self._index = self._index.with_added(obj, len(self.objects) - 1)
        self._snapshot = None
        self.version += 1

    def apply_effects(self, effects: Sequence[SetProperty]) -> None:
        """Carry out the effects of TEACh's rules."""
        for effect in effects:
            self.update_object(effect.object_id, **{effect.name: effect.value})

    def move_follower(self, follower: state.AgentState) -> None:
        """Move the body; the object that it holds follows when the next snapshot is taken."""
        self.follower = follower
        self._snapshot = None
        self._hand_moved = self.held_index is not None

    def change_follower(
        self, follower: state.AgentState, held: str | None, bystanders: Bystanders
    ) -> None:
        """Let another agent, which holds the object `held`, be the one that acts."""
        self._move_held_with_body()
        self.follower, self.bystanders = follower, bystanders
        self.held_index = None if held is None else self.index_of(held)
        self._snapshot = None

    def move_commander(self, commander: state.AgentState) -> None:
        """Move the Commander's camera to another pose."""
        self.commander = commander
        self._snapshot = None

    def set_held_object(self, object_id: str | None) -> None:
        """Put this object in the hand; None empties it."""
        self.held_index = None if object_id is None else self.index_of(object_id)
        self._hand_moved = object_id is not None

    def snapshot(self) -> state.Snapshot:
        """Return the present state; the objects themselves are shared, not copied."""
        if self._snapshot is None:
            self._move_held_with_body()
            objects = tuple(self.objects)
            self._snapshot = state.Snapshot(objects, self._index, self.commander, self.follower)
        return self._snapshot

    def restore(self, snapshot: state.Snapshot) -> None:
        """Return to a snapshot of this world."""
        if snapshot is self._snapshot:
            return
        current, target = self.objects, snapshot.objects
        hand = self.held_object
        self.objects = list(target)
        self.held_index = _find_held_index(target, self.bystanders.held)
        for i, (before, after) in enumerate(zip(current, target, strict=False)):
            if before is not after and not self._is_same_to_rays(before, hand, after):
                self.update_geometry(i)
        for i in range(len(current), len(target)):
            self.update_geometry(i)
        for i in range(len(target), len(current)):
            self.geometry.hide(i)
        self.version += 1
        self._index = snapshot.object_index
        self.commander, self.follower = snapshot.commander, snapshot.follower
        self._hand_moved = False
        self._snapshot = snapshot

    def _set_at(self, i: int, obj: state.ObjectState) -> None:
        before, hand = self.objects[i], self.held_object
        self.objects[i] = obj
        self._snapshot = None
        self.version += 1
        if not self._is_same_to_rays(before, hand, obj):
            self.update_geometry(i)

    def _is_same_to_rays(
        self, before: state.ObjectState, hand: state.ObjectState | None, obj: state.ObjectState
    ) -> bool:
        """Return whether an object is to rays as it was before, when `hand` was held."""
        return (
            obj.box is before.box
            and _FIELDS_OF_SHAPE(obj) == _FIELDS_OF_SHAPE(before)
            and self._is_invisible(obj, self.held_object) == self._is_invisible(before, hand)
        )

    def _is_invisible(self, obj: state.ObjectState, hand: state.ObjectState | None) -> bool:
        """Return whether rays miss an object when the Follower holds `hand`."""
        others = self.bystanders.held
        return state.is_invisible_to_rays(obj, hand) or (
            bool(others) and not others.isdisjoint(obj.parentReceptacles or ())
        )

    def update_geometry(self, i: int) -> None:
        """Let rays hit an object as its state says, even after a caller hid it from them."""
        obj = self.objects[i]
        # The geometry keeps the entries of slices that a restore removed; reuse them.
        if i >= len(self.geometry):
            self.geometry.append(obj)
        if self._is_invisible(obj, self.held_object):
            self.geometry.hide(i)
        else:
            self.geometry.update(i, obj)

    def _move_held_with_body(self) -> None:
        """Move the held object, and what is in or on it, to the hand's present position."""
        hand = self.held_object if self._hand_moved else None
        self._hand_moved = False
        if hand is None:
            return
        shift = state.subtract(held_position(self.follower), hand.position)
        for obj in (hand, *self.contents(hand.objectId)):
            self.objects[self.index_of(obj.objectId)] = state.translate(obj, shift)


def held_position(agent: state.AgentState) -> state.Vec3:
    """Return the position at which an agent holds an object, metres."""
    sine, cosine = state.yaw_sin_cos(agent.yaw)
    x, y, z = agent.position
    return (x + HAND_AHEAD_METRES * sine, y + HAND_ABOVE_METRES, z + HAND_AHEAD_METRES * cosine)


def _find_held_index(objects: Sequence[state.ObjectState], others: Container[str]) -> int | None:
    held = (i for i, obj in enumerate(objects) if obj.isPickedUp and obj.objectId not in others)
    return next(held, None)


def _resting_objects(objects: Sequence[state.ObjectState]) -> list[state.ObjectState]:
    return [obj for obj in objects if obj.affordances.pickupable and not obj.isPickedUp]
