"""The embedded world's state: objects in order, and what rays can hit of them.

All changes go through its methods, so that the list, the geometry and the look-ups
never disagree.  Objects are immutable values, so a snapshot is the list itself, and
going back to one replaces only what differs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from tatc.camera.doors import opened, shut_box
from tatc.camera.geometry import Geometry
from tatc.camera.rects import Rect
from tatc.sim.effects import Clean, Effect, FillWater
from tatc.sim.floorplan.areas import counter_areas
from tatc.sim.maps.open_boxes import OpenBox
from tatc.sim.maps.traces import NOTHING, Rest, Traces, model_of, rest_in
from tatc.sim.rigid import minus, shifted
from tatc.state import (
    AgentState,
    ObjectState,
    Roster,
    Snapshot,
    Vec3,
    out_of_sight,
    turned,
)

REACH = 0.38
"""How far ahead of the body's middle a held thing is, metres (step recordings)."""
LIFT = 0.516
"""How far above the agent's y a held thing is, metres (step recordings)."""


class House:
    """Objects and agents at this moment; indices are positions in the list."""

    def __init__(self, start: Snapshot, traces: Traces = NOTHING) -> None:
        """Take over the objects and agents of a start state.

        `traces` are what other sessions show of the floor plan.
        """
        self.traces = traces
        self.things = list(start.objects)
        self.commander = start.commander
        self.follower = start.follower
        self.geometry = Geometry(self.things)
        self.resting = _resting(self.things)
        self._start = start
        self.seen = _seen(self.things)
        self._shut = {
            thing.objectId: thing
            for thing in self.things
            if shut_box(thing) is not None
        }
        self._roster = Roster.of(self.things)
        self._snapshot: Snapshot | None = None
        self._hand_moved = False
        self.held = _held_index(self.things)
        for i, thing in enumerate(self.things):
            if out_of_sight(thing, self.in_hand):
                self.geometry.hide(i)

    @cached_property
    def areas(self) -> Mapping[str, tuple[Rect, ...]]:
        """The free stretches of each counter as the session began, by its id."""
        return counter_areas(self._start.objects, self._start.follower.position)

    @property
    def in_hand(self) -> ObjectState | None:
        """What the Follower holds, or None."""
        return None if self.held is None else self.things[self.held]

    def find(self, object_id: str) -> ObjectState | None:
        """Return the object with this id, or None."""
        i = self._roster.index.get(object_id)
        return None if i is None else self.things[i]

    def index(self, object_id: str) -> int:
        """Return the position of the object with this id, which must exist."""
        return self._roster.index[object_id]

    def of_type(self, *types: str) -> list[ObjectState]:
        """Return the objects of these types."""
        found = self._roster.types
        return [self.things[i] for name in types for i in found.get(name, ())]

    def shut(self, object_id: str) -> ObjectState | None:
        """Return a fixed thing as it was when the session began, if it was shut then.

        None for a portable thing, which moves about.
        """
        return self._shut.get(object_id)

    def opened(self, thing: ObjectState, point: Vec3) -> ObjectState:
        """Return a shut thing as the Follower opens it by a click at this point."""
        seen = self.seen_open(thing)
        if seen is not None:
            return replace(thing, isOpen=True, box=seen.around(thing.box))
        return opened(thing, point, self.follower.position)

    def seen_open(self, thing: ObjectState) -> OpenBox | None:
        """Return how a fixed thing stood open in other sessions, None if it did not."""
        return self.traces.opened.get(model_of(thing))

    def contents(self, object_id: str) -> list[ObjectState]:
        """Return the portable things that are in or on a receptacle, at any depth."""
        return [
            thing
            for thing in self.things
            if thing.affordances.pickupable
            and not thing.isPickedUp
            and object_id in (thing.parentReceptacles or ())
        ]

    def put(self, thing: ObjectState) -> None:
        """Let an object be as given; the one with the same id goes."""
        self._set(self.index(thing.objectId), thing)

    def change(self, object_id: str, **values: Any) -> None:
        """Give an object's fields new values."""
        i = self.index(object_id)
        self._set(i, replace(self.things[i], **values))

    def add(self, thing: ObjectState) -> None:
        """Add a new object at the end of the list."""
        self.things.append(thing)
        self._show(len(self.things) - 1)
        self._roster = Roster.of(self.things)
        self._snapshot = None

    def apply(self, effects: Sequence[Effect]) -> None:
        """Carry out what TEACh's rules ask for."""
        for effect in effects:
            if isinstance(effect, Clean):
                self.change(effect.object_id, isDirty=False)
            elif isinstance(effect, FillWater):
                self.change(effect.object_id, isFilledWithLiquid=True)
            else:
                self.change(effect.object_id, **{effect.name: effect.value})

    def move_follower(self, follower: AgentState) -> None:
        """Put the Follower's body, with what it holds, somewhere else."""
        self.follower = follower
        self._snapshot = None
        self._hand_moved = self.held is not None

    def move_commander(self, commander: AgentState) -> None:
        """Put the Commander's camera somewhere else."""
        self.commander = commander
        self._snapshot = None

    def grasp(self, object_id: str | None) -> None:
        """Let the hand hold this object, or nothing."""
        self.held = None if object_id is None else self.index(object_id)
        self._hand_moved = object_id is not None

    def snapshot(self) -> Snapshot:
        """Return the present state; nothing is copied but the list of references."""
        if self._snapshot is None:
            self._carry()
            self._snapshot = Snapshot(
                tuple(self.things), self._roster, self.commander, self.follower
            )
        return self._snapshot

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of this house."""
        present, wanted = self.things, snapshot.objects
        longer = max(len(present), len(wanted))
        self.things = list(wanted)
        self.held = _held_index(wanted)
        for i in range(longer):
            if i >= len(wanted):
                self.geometry.hide(i)
            elif i >= len(present) or present[i] is not wanted[i]:
                self._show(i)
        self._roster = snapshot.roster
        self.commander, self.follower = snapshot.commander, snapshot.follower
        self._hand_moved = False
        self._snapshot = snapshot

    def _set(self, i: int, thing: ObjectState) -> None:
        before, hand = self.things[i], self.in_hand
        self.things[i] = thing
        self._snapshot = None
        if (
            thing.box is not before.box
            or thing.isOpen != before.isOpen
            or out_of_sight(thing, hand) != out_of_sight(before, hand)
        ):
            self._show(i)

    def _show(self, i: int) -> None:
        thing = self.things[i]
        # Slots of slices that a restore took away are used again.
        if i >= len(self.geometry):
            self.geometry.append(thing)
        if out_of_sight(thing, self.in_hand):
            self.geometry.hide(i)
        else:
            self.geometry.update(i, thing)

    def _carry(self) -> None:
        """Let what is held, and what stands on it, follow the body."""
        if not self._hand_moved:
            return
        self._hand_moved = False
        hand = self.in_hand
        if hand is None:
            return
        shift = minus(hand_at(self.follower), hand.position)
        for thing in (hand, *self.contents(hand.objectId)):
            i = self.index(thing.objectId)
            self.things[i] = shifted(thing, shift)


def hand_at(agent: AgentState) -> Vec3:
    """Return where an agent's hand is."""
    sine, cosine = turned(agent.yaw)
    x, y, z = agent.position
    return (x + REACH * sine, y + LIFT, z + REACH * cosine)


def _held_index(things: Sequence[ObjectState]) -> int | None:
    return next((i for i, thing in enumerate(things) if thing.isPickedUp), None)


def _seen(things: Sequence[ObjectState]) -> dict[str, tuple[Rest, ...]]:
    """Return, by receptacle, how things stand in it at the start."""
    by_id = {thing.objectId: thing for thing in things}
    found: dict[str, list[Rest]] = {}
    for thing in things:
        if not thing.affordances.pickupable or thing.isPickedUp:
            continue
        for parent in thing.parentReceptacles or ():
            if parent in by_id:
                rest = rest_in(by_id[parent], by_id[parent].box, thing)
                found.setdefault(parent, []).append(rest)
    return {parent: tuple(seen) for parent, seen in found.items()}


def _resting(things: Sequence[ObjectState]) -> dict[str, tuple[float, ...]]:
    """Return, by receptacle, the heights of the undersides of what stands in it."""
    found: dict[str, list[float]] = {}
    for thing in things:
        if thing.affordances.pickupable and not thing.isPickedUp:
            under = thing.box.center[1] - thing.box.size[1] / 2
            for parent in thing.parentReceptacles or ():
                found.setdefault(parent, []).append(under)
    return {parent: tuple(sorted(heights)) for parent, heights in found.items()}
