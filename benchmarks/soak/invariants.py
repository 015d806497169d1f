"""What holds in every state of the embedded world, whatever was done in it."""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from math import isfinite

import numpy as np

from tatc.home.camera.clicks import eye_of
from tatc.home.camera.geometry import Geometry
from tatc.home.state import ObjectState, Snapshot
from tatc.home.type_facts import MUST_BE_OPEN_TYPES, RUNS_CLOSED_TYPES

FRAME_SIDES = (90, 300, 900)
"""The sides in pixels of the images in which what is shut in must not be seen."""


class BrokenInvariant(Exception):
    """Something that always holds does not."""


Given = frozenset[tuple[str, object]]
"""Facts about objects by their ids: the receptacles that each is in, or a state it cannot have."""

_AFFORDANCES_BY_STATE = {
    "isToggled": ("toggleable",),
    "isBroken": ("breakable",),
    "isFilledWithLiquid": ("canFillWithLiquid",),
    "isDirty": ("dirtyable",),
    "isUsedUp": ("canBeUsedUp",),
    "isCooked": ("cookable",),
    "isSliced": ("sliceable", "breakable"),  # an egg that is cracked
    "isOpen": ("openable",),
    "isPickedUp": ("pickupable",),
}


def given_in(start: Snapshot) -> Given:
    """Return what a start says about where its objects are, and the states they cannot have."""
    parents = ((obj.objectId, obj.parentReceptacles) for obj in start.objects)
    states = ((obj.objectId, state) for obj in start.objects for state in _impossible_states(obj))
    return frozenset((*parents, *states))


def check_state(
    state: Snapshot, given: Given = frozenset(), hands: int = 1, sound: Snapshot | None = None
) -> None:
    """Check ids, boxes and states, the hands, and that parents and children agree.

    Args:
        state: what is checked.
        given: what the start says.  Where that is still so, it is no fault of the world's: in one
            recorded start two mugs have the same id and place, and AI2-THOR lists each in the
            other.
        hands: how many objects can be held.
        sound: a state that was checked; of objects that are the same there, ids and parents alone
            are checked.

    Raises:
        BrokenInvariant: two objects have one id, a number is not finite or a box has a side below
            0, an object is in a state that its type does not have, the hands hold more than they
            can, what is held or cut is also elsewhere, or an object is in itself, at any depth,
            or in what does not exist or is no receptacle.

    """
    if len(state.object_index.by_id) != len(state.objects):
        raise BrokenInvariant(f"one id twice: {_repeated_ids(state)}")
    checked = set(map(id, sound.objects)) if sound is not None else ()
    for obj in state.objects:
        if id(obj) not in checked:
            _check_object(obj, given)
        for name in obj.parentReceptacles or ():
            parent = state.get(name)
            is_broken = parent is None or parent is obj or not parent.affordances.receptacle
            is_broken = is_broken or _is_within(state, parent, obj)
            if is_broken and (obj.objectId, obj.parentReceptacles) not in given:
                raise BrokenInvariant(f"{obj.objectId} is in {name}, which cannot hold it")
    held = [obj for obj in state.objects if obj.isPickedUp]
    if len(held) > hands:
        raise BrokenInvariant(f"{hands} hands hold {[obj.objectId for obj in held]}")


def _is_within(state: Snapshot, inner: ObjectState | None, outer: ObjectState) -> bool:
    left, met = [inner], set[str]()
    while left:
        at = left.pop()
        for name in (at.parentReceptacles or ()) if at is not None else ():
            if name == outer.objectId:
                return True
            if name not in met:
                met.add(name)
                left.append(state.get(name))
    return False


def _repeated_ids(state: Snapshot) -> list[str]:
    counts = Counter(obj.objectId for obj in state.objects)
    return [name for name, count in counts.items() if count > 1]


def _check_object(obj: ObjectState, given: Given) -> None:
    """Check what does not depend on the other objects."""
    numbers = (*obj.position, *obj.rotation, *obj.box.center, *obj.box.size, obj.box.yaw, obj.mass)
    if not all(map(isfinite, numbers)) or min(obj.box.size) < 0:
        raise BrokenInvariant(f"{obj.objectId} has an impossible pose: {obj.rotation}, {obj.box}")
    if obj.parentReceptacles and (obj.isPickedUp or obj.isSliced):
        word = "held" if obj.isPickedUp else "cut"
        raise BrokenInvariant(f"{obj.objectId} is {word}, and in {obj.parentReceptacles}")
    for state in _impossible_states(obj):
        if (obj.objectId, state) not in given:
            raise BrokenInvariant(f"{obj.objectId} has a state that it cannot have: {state}")


def _impossible_states(obj: ObjectState) -> Iterator[str]:
    for state, needed in _AFFORDANCES_BY_STATE.items():
        if getattr(obj, state) and not any(getattr(obj.affordances, name) for name in needed):
            yield state
    if obj.isOpen and obj.isToggled and obj.objectType in RUNS_CLOSED_TYPES:
        yield "on while it is open"
    if obj.isSliced and (obj.isPickedUp or any(obj.box.size)):
        yield "cut and whole"


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
