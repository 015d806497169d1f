"""Putting objects elsewhere: poses that are given, or drawn at random."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import dist
from random import Random
from typing import Any

from tatc.fields import FieldFault, listing, mapping, text, vector, whole
from tatc.sim.rooms.stowing import Stower
from tatc.state import ObjectState, Vec3
from tatc.thorserver.answers import DONE, Answer, Arguments, number_or, refused
from tatc.thorserver.resting import parents_of_all
from tatc.thorserver.rigid import turned_to
from tatc.thorserver.stage import Stage

STILL = 1e-3
"""Metres, and degrees, up to which a thing has not moved."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Where an object of a name is to be."""

    name: str
    position: Vec3
    rotation: Vec3


def set_object_poses(stage: Stage, given: Arguments) -> Answer:
    """Let everything that can be carried or pushed be where the poses say.

    As in AI2-THOR a name that comes twice makes a copy, and what no pose names is
    gone.  A name counts up to its first parenthesis.
    """
    poses = [_pose(raw, i) for i, raw in enumerate(_poses(given))]
    loose = [thing for thing in stage.house.things if _loose(thing)]
    fixed = [thing for thing in stage.house.things if not _loose(thing)]
    placed: list[ObjectState] = []
    taken: set[str] = set()
    unknown: list[str] = []
    for number, pose in enumerate(poses):
        same = [t for t in loose if pose.name in (t.name, _cut(t.name))]
        if not same:
            unknown.append(pose.name)
            continue
        thing = _source(same, taken, pose, number)
        taken.add(thing.objectId)
        placed.append(_moved(thing, pose))
    _arrange(stage, [*fixed, *placed])
    if unknown:
        return refused(
            f"No Pickupable or Moveable object of name {unknown[0]} found in scene."
        )
    return DONE


def random_spawn(stage: Stage, given: Arguments) -> Answer:
    """Put what can be carried where its type is kept, drawn by `randomSeed`.

    `numDuplicatesOfType` says how many there are to be of a type.  States are as they
    were when the scene was loaded.
    """
    seed = whole(given.get("randomSeed", 0), "randomSeed")
    wanted = {text(row, "objectType"): _count(row) for row in _duplicates(given)}
    objects = stage.served.room.objects
    fixed = [thing for thing in objects if not thing.affordances.pickupable]
    carried = [thing for thing in objects if thing.affordances.pickupable]
    stower = Stower(fixed, stage.body.position[1], Random(f"spawn {seed}"))
    placed: list[ObjectState] = []
    for thing in sorted(carried, key=lambda t: (-max(t.box.size), t.objectId)):
        for copy in range(_copies(thing, carried, wanted)):
            spot = stower.put(thing.objectType, thing.box.size)
            if spot is None and copy == 0:
                placed.append(thing)
            elif spot is not None:
                placed.append(_at(thing, spot, copy))
    stage.rebuild([*fixed, *placed])
    return DONE


def set_unbreakable(stage: Stage, given: Arguments) -> Answer:
    """Let nothing of a type break."""
    stage.unbreakable.add(text(given, "objectType"))
    return DONE


def set_all_unbreakable(stage: Stage, given: Arguments) -> Answer:
    """Let nothing break."""
    stage.unbreakable.update(thing.objectType for thing in stage.house.things)
    return DONE


def _arrange(stage: Stage, things: Sequence[ObjectState]) -> None:
    """Let these be the objects, each of those that moved in what it now stands in."""
    before = {thing.objectId: thing for thing in stage.house.things}
    moved = {t.objectId for t in things if before.get(t.objectId) is not t}
    stage.rebuild([_nowhere(t) if t.objectId in moved else t for t in things])
    adrift = [thing for thing in stage.house.things if thing.objectId in moved]
    for thing in parents_of_all(stage.house, adrift):
        stage.house.put(thing)
    # What rests where decides how high shelves are: lay the scene out from it anew.
    stage.rebuild(stage.house.things)


def _nowhere(thing: ObjectState) -> ObjectState:
    return replace(thing, parentReceptacles=None)


def _poses(given: Arguments) -> list[Any]:
    return listing(given.get("objectPoses"), "objectPoses")


def _pose(raw: Any, i: int) -> Pose:
    try:
        row = mapping(raw, "")
        return Pose(
            text(row, "objectName"), vector(row, "position"), vector(row, "rotation")
        )
    except FieldFault as fault:
        raise fault.within(f"objectPoses[{i}]") from fault


def _loose(thing: ObjectState) -> bool:
    return thing.affordances.pickupable or thing.affordances.moveable


def _cut(name: str) -> str:
    return name.split("(", 1)[0]


def _source(
    same: Sequence[ObjectState], taken: set[str], pose: Pose, number: int
) -> ObjectState:
    """Return the object of a name that is to be moved: the nearest, else a copy."""
    free = [thing for thing in same if thing.objectId not in taken]
    if free:
        return min(free, key=lambda t: (dist(t.position, pose.position), t.objectId))
    first = same[0]
    return replace(
        first,
        objectId=f"{first.objectId}_copy_{number}",
        name=f"{first.name}_copy_{number}",
    )


def _moved(thing: ObjectState, pose: Pose) -> ObjectState:
    """Return a thing at a pose; the very same where it is there already."""
    off = zip(thing.rotation, pose.rotation, strict=True)
    still = dist(thing.position, pose.position) < STILL and all(
        abs((a - b + 180) % 360 - 180) < STILL for a, b in off
    )
    if still and not thing.isPickedUp:
        return thing
    return replace(turned_to(thing, pose.position, pose.rotation), isPickedUp=False)


def _duplicates(given: Arguments) -> Iterable[Arguments]:
    field = "numDuplicatesOfType"
    if given.get(field) is None:
        return ()
    return [mapping(row, field) for row in listing(given[field], field)]


def _count(row: Arguments) -> int:
    return int(number_or(row, "count", 1))


def _copies(
    thing: ObjectState, carried: Sequence[ObjectState], wanted: dict[str, int]
) -> int:
    """Return how many are to be made of a thing: the first of a type is copied."""
    same = [other for other in carried if other.objectType == thing.objectType]
    if same[0] is not thing:
        return 1
    return max(wanted.get(thing.objectType, len(same)) - len(same) + 1, 1)


def _at(thing: ObjectState, spot: ObjectState, copy: int) -> ObjectState:
    """Return a thing, or the n-th copy of it, where another stands."""
    suffix = f"_copy_{copy}" if copy else ""
    return replace(
        spot,
        objectId=f"{thing.objectId}{suffix}",
        name=f"{thing.name}{suffix}",
    )
