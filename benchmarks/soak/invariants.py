"""What holds in every state of the embedded world, whatever was done in it."""

from hashlib import sha256

import numpy as np

from tatc.home.camera.clicks import eye_of
from tatc.home.camera.geometry import Geometry
from tatc.home.state import ObjectState, Snapshot
from tatc.home.type_facts import MUST_BE_OPEN_TYPES

FRAME_SIDES = (90, 300, 900)
"""The sides in pixels of the images in which what is shut in must not be seen."""


class BrokenInvariant(Exception):
    """Something that always holds does not."""


GivenParents = frozenset[tuple[str, tuple[str, ...] | None]]
"""The ids of objects at a start, each with the receptacles that it is in there."""


def given_parents(start: Snapshot) -> GivenParents:
    """Return what a start says about where its objects are."""
    return frozenset((obj.objectId, obj.parentReceptacles) for obj in start.objects)


def check_state(state: Snapshot, given: GivenParents = frozenset()) -> None:
    """Check the hand, and that parents and children agree.

    Args:
        state: what is checked.
        given: what the start says.  Where an object still has the same parents, that is no fault
            of the world's: in one recorded start two mugs have the same id and place, and
            AI2-THOR lists each in the other.

    Raises:
        BrokenInvariant: the hand holds two objects, what it holds is also elsewhere, or an object
            is in itself, or in what does not exist or is no receptacle.

    """
    held = [obj for obj in state.objects if obj.isPickedUp]
    if len(held) > 1:
        raise BrokenInvariant(f"the hand holds {[obj.objectId for obj in held]}")
    if held and held[0].parentReceptacles:
        raise BrokenInvariant(f"{held[0].objectId} is held, and in {held[0].parentReceptacles}")
    for obj in state.objects:
        for name in obj.parentReceptacles or ():
            parent = state.get(name)
            is_broken = parent is None or parent is obj or not parent.affordances.receptacle
            if is_broken and (obj.objectId, obj.parentReceptacles) not in given:
                raise BrokenInvariant(f"{obj.objectId} is in {name}, which can hold nothing")


def check_same(state: Snapshot, kept: Snapshot) -> None:
    """Check that two states are the same to the last digit, the order of the objects included.

    Raises:
        BrokenInvariant: they are not; names the first thing that differs.

    """
    if len(state.objects) != len(kept.objects):
        raise BrokenInvariant(f"{len(state.objects)} objects instead of {len(kept.objects)}")
    own = (state.commander, state.follower, *state.objects)
    for mine, other in zip(own, (kept.commander, kept.follower, *kept.objects), strict=True):
        if mine is not other and repr(mine) != repr(other):
            raise BrokenInvariant(f"{mine} instead of {other}")


def check_shut_in(state: Snapshot) -> None:
    """Check that no pixel of the Follower's view shows what lies in a closed container.

    Raises:
        BrokenInvariant: one does.

    """
    hidden = {i for i, obj in enumerate(state.objects) if _is_shut_in(obj, state)}
    if not hidden:
        return
    geometry = Geometry(state.objects)
    for side in FRAME_SIDES:
        ids, _ = geometry.trace_objects(eye_of(state.follower), side)
        for index in hidden.intersection(np.unique(ids).tolist()):
            name = state.objects[index].objectId
            raise BrokenInvariant(f"{name} is shut in, and seen at {side} pixels")


def _is_shut_in(obj: ObjectState, state: Snapshot) -> bool:
    """Return whether a portable object is in a closed container, at any depth."""
    left, met = [obj], set[str]()
    while left:
        at = left.pop()
        for name in (at.parentReceptacles or ()) if at.affordances.pickupable else ():
            parent = state.get(name)
            if parent is None or name in met:
                continue
            met.add(name)
            able = parent.affordances.openable and parent.objectType in MUST_BE_OPEN_TYPES
            if able and not parent.isOpen:
                return True
            left.append(parent)
    return False


def state_hash(state: Snapshot) -> str:
    """Return a hash of all that a state holds, equal in every process."""
    return sha256(repr((state.objects, state.commander, state.follower)).encode()).hexdigest()
