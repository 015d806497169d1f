"""What a recording says was done, done here whatever this world thinks of it.

A replay that compares answers one by one is put back onto the recorded course with it
after each.  Where this world can do the deed it does; where it refuses, the change is
made all the same, as simply as it can be.
"""

from dataclasses import replace

from tatc.actions import Action, Click, Verb
from tatc.camera.shapes import surface_of
from tatc.sim.embedded.aiming import point_on
from tatc.sim.embedded.deeds import DEEDS, release, swing
from tatc.sim.embedded.hands import finish, into_itself, keep_books, meant
from tatc.sim.embedded.house import House
from tatc.sim.embedded.placing import parents_at
from tatc.sim.rigid import carried, shifted
from tatc.state import Box, ObjectState, Vec3


def impose(
    house: House, verb: Verb, target_id: str | None, click: Click | None
) -> None:
    """Let an interaction have been done to an object; None: it was refused.

    `click` says where on the object, its middle if None or if the ray ends elsewhere.
    TEACh's rules run after it either way.
    """
    before = house.snapshot()
    target = house.find(target_id) if target_id is not None else None
    if into_itself(house, verb, target):
        target = meant(house, Action(verb, click))
    if target is not None:
        held, point = house.in_hand, point_on(house, target, click)
        if DEEDS[verb](house, target, point) is not None:
            _force(house, verb, target, point)
        keep_books(house, verb, target, held)
    finish(house, verb, before, done=target is not None)


def lay(house: House, object_id: str, position: Vec3, rotation: Vec3) -> None:
    """Let an object lie at a position, turned about the vertical as a rotation says."""
    thing = house.find(object_id)
    if thing is None:
        return
    turn = (rotation[1] - thing.rotation[1]) % 360.0
    there = carried(thing, thing.position, position, turn)
    house.put(replace(there, position=position, rotation=rotation))


def let_go(house: House) -> None:
    """Let what is held, with what stands on it, lie on the floor under the hand."""
    house.snapshot()  # the hand is where the body is now
    held = house.in_hand
    if held is None:
        return
    floors = house.of_type("Floor")
    level = min((floor.position[1] for floor in floors), default=0.0)
    fall = held.box.center[1] - held.box.size[1] / 2 - level
    parents = tuple(floor.objectId for floor in floors)
    down = shifted(held, (0.0, -fall, 0.0))
    release(house, held, replace(down, parentReceptacles=parents))


def _force(house: House, verb: Verb, target: ObjectState, point: Vec3) -> None:
    match verb:
        case Verb.PICKUP:
            let_go(house)  # the target may have lain on it
            target = house.things[house.index(target.objectId)]
            DEEDS[verb](house, target, point)
        case Verb.PLACE:
            _put(house, target, point)
        case Verb.OPEN if house.shut(target.objectId) is not None:
            if not target.isOpen:
                swing(house, target, house.opened(target, point))
        case Verb.OPEN | Verb.CLOSE:
            house.change(target.objectId, isOpen=verb is Verb.OPEN)
        case Verb.TOGGLE_ON | Verb.TOGGLE_OFF:
            house.change(target.objectId, isToggled=verb is Verb.TOGGLE_ON)
        case _:
            pass


def _put(house: House, target: ObjectState, point: Vec3) -> None:
    """Put what is held at a point of a receptacle, through whatever lies there."""
    held = house.in_hand
    if held is None:
        return
    x, _, z = point
    level = surface_of(target, house.geometry.surface(house.index(target.objectId)))
    box = Box((x, level + held.box.size[1] / 2, z), held.box.size, held.box.yaw)
    ox, oy, oz = held.box.center
    there = shifted(held, (x - ox, box.center[1] - oy, z - oz))
    parents = parents_at(house, target, box)
    release(house, held, replace(there, parentReceptacles=parents))
