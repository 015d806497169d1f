"""What an agent does to objects: AI2-THOR's interactions and forced changes of state.

Without `forceAction` the object must be visible.  The deeds are the embedded world's;
here are what AI2-THOR checks before them and how it words a refusal.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tatc.actions import Click
from tatc.camera.geometry import Hit
from tatc.camera.rays import TINY, Eye
from tatc.fields import FieldFault, flag, number, text
from tatc.metadata import write_vector
from tatc.sim.embedded.deeds import (
    clean,
    close_up,
    dirty,
    empty,
    fill,
    open_up,
    pick_up,
    put_down,
    slice_up,
    switch_off,
    switch_on,
)
from tatc.sim.embedded.hands import place_by_ray
from tatc.sim.embedded.house import House, hand_at
from tatc.sim.embedded.imposed import let_go
from tatc.sim.embedded.slicing import cut
from tatc.state import ObjectState, Vec3
from tatc.thorserver.answers import DONE, MISSING, Answer, Arguments, refused
from tatc.thorserver.stage import Stage

Do = Callable[[House, ObjectState, Vec3], str | None]
Check = Callable[[ObjectState], str | None]

NOT_SEEN = "Target object not found within the specified visibility."
NO_ID = "Object ID appears to be invalid."
EMPTY_HAND = "Can't place an object if Agent isn't holding anything!"
LIQUIDS = ("water", "coffee", "wine")


@dataclass(frozen=True, slots=True)
class Handling:
    """One thing to do to an object: what must hold of it first, and the deed."""

    check: Check
    do: Do


def handle(handling: Handling) -> Callable[[Stage, Arguments], Answer]:
    """Return the action that does this to the object that its arguments name."""

    def run(stage: Stage, given: Arguments) -> Answer:
        thing = target(stage, given)
        if isinstance(thing, Answer):
            return thing
        why = handling.check(thing)
        if why is None:
            why = handling.do(stage.house, thing, stage.point_on(thing))
        return DONE if why is None else refused(why)

    return run


def target(stage: Stage, given: Arguments) -> ObjectState | Answer:
    """Return the object that `objectId`, or a point of the frame, names.

    Raises:
        FieldFault: an argument is of the wrong kind.

    """
    if given.get("objectId"):
        thing = stage.house.find(text(given, "objectId"))
        if thing is None:
            return refused(NO_ID)
    else:
        hit = hit_of(stage, given)
        if isinstance(hit, Answer):
            return hit
        thing = stage.house.things[hit.index]
    if not flag(given, "forceAction") and not stage.interactable(thing):
        return refused(NOT_SEEN, "ObjectNotVisible")
    return thing


def hit_of(stage: Stage, given: Arguments) -> Hit | Answer:
    """Return what the ray through the frame's point x, y meets.

    Raises:
        FieldFault: x or y is no number between 0 and 1.

    """
    click = click_of(stage, given)
    if isinstance(click, Answer):
        return click
    hit = stage.house.geometry.first(stage.lens().eye, click)
    return hit or refused("Could not find a target object: the ray meets none")


def click_of(stage: Stage, given: Arguments) -> Click | Answer:
    """Return the frame's point x, y in the square frame that ours are.

    Raises:
        FieldFault: x or y is no number between 0 and 1.

    """
    missing = [axis for axis in "xy" if given.get(axis) is None]
    if missing:
        return refused(f"missing the following arguments: {missing}", MISSING)
    x, y = (number(given[axis], axis) for axis in "xy")
    if not (0 <= x <= 1 and 0 <= y <= 1):
        raise FieldFault("x, y", "must be between 0 and 1")
    return stage.lens().click(x, y)


def pick(stage: Stage, given: Arguments) -> Answer:
    """Take an object in the hand; return its id."""
    done = handle(PICKUP)(stage, given)
    held = stage.house.in_hand
    if done.success and held is not None:
        return Answer(value=held.objectId)
    return done


def put(stage: Stage, given: Arguments) -> Answer:
    """Put what is held into the receptacle that is named, or seen at x, y."""
    if stage.house.in_hand is None:
        return refused(EMPTY_HAND)
    if given.get("objectId"):
        return handle(PUT)(stage, given)
    click, hit = click_of(stage, given), hit_of(stage, given)
    if isinstance(click, Answer) or isinstance(hit, Answer):
        return hit if isinstance(hit, Answer) else DONE
    why = place_by_ray(stage.house, click, hit)
    return DONE if why is None else refused(why)


def drop(stage: Stage, given: Arguments) -> Answer:
    """Let what is held fall on what is below the hand; return where it lies."""
    house = stage.house
    held = house.in_hand
    if held is None:
        return refused("Nothing in hand to drop!")
    x, y, z = hand_at(stage.body)
    below = house.geometry.cast(Eye((x, y, z), 0.0, 90.0), (TINY, -1.0, TINY))
    thing = None if below is None else house.things[below.index]
    caught = thing is not None and thing.affordances.receptacle and below is not None
    if not (caught and put_down(house, thing, below.point) is None):  # pyright: ignore
        let_go(house)
    return Answer(value=write_vector(house.things[house.index(held.objectId)].position))


def pour_in(stage: Stage, given: Arguments) -> Answer:
    """Fill an object with a liquid, water where none is named."""
    liquid = given.get("fillLiquid") or "water"
    if liquid not in LIQUIDS:
        return refused(f"{liquid} is not a valid Liquid Type")
    done = handle(FILL)(stage, given)
    thing = target(stage, {**given, "forceAction": True})
    if done.success and isinstance(thing, ObjectState):
        stage.liquids[thing.objectId] = liquid
    return done


def smash(stage: Stage, given: Arguments) -> Answer:
    """Break an object; an egg cracks."""
    thing = target(stage, given)
    if isinstance(thing, Answer):
        return thing
    if not thing.affordances.breakable:
        return refused(f"{thing.objectId} does not have the Breakable property!")
    if thing.isBroken:
        return refused(f"{thing.objectId} is already broken")
    if thing.objectType in stage.unbreakable:
        return refused(f"{thing.objectId} is unbreakable")
    if thing.objectType == "Egg":
        cut(stage.house, thing)
    stage.house.change(thing.objectId, isBroken=True)
    return DONE


def set_flag(able: str, name: str) -> Handling:
    """Return what sets a flag of an object that has the affordance for it."""

    def check(thing: ObjectState) -> str | None:
        if not getattr(thing.affordances, able):
            return f"{thing.objectId} is not {able}!"
        return f"{thing.objectId} already: {name}" if getattr(thing, name) else None

    def do(house: House, thing: ObjectState, point: Vec3) -> str | None:
        house.change(thing.objectId, **{name: True})
        return None

    return Handling(check, do)


def _free_to_take(thing: ObjectState) -> str | None:
    return f"{thing.objectId} is already picked up" if thing.isPickedUp else None


def _shut(thing: ObjectState) -> str | None:
    return f"{thing.objectId} is already open" if thing.isOpen else None


def _open(thing: ObjectState) -> str | None:
    able = thing.affordances.openable
    return f"{thing.objectId} is already closed" if able and not thing.isOpen else None


def _off(thing: ObjectState) -> str | None:
    on = "can't toggle object on if it's already on!"
    return on if thing.isToggled else None


def _on(thing: ObjectState) -> str | None:
    off = "can't toggle object off if it's already off!"
    return off if thing.affordances.toggleable and not thing.isToggled else None


def _whole(thing: ObjectState) -> str | None:
    return f"{thing.objectId} is already sliced" if thing.isSliced else None


def _clean(thing: ObjectState) -> str | None:
    if not thing.affordances.dirtyable:
        return f"{thing.objectId} does not have the Dirtyable property!"
    return f"{thing.objectId} is already dirty" if thing.isDirty else None


def _dirty(thing: ObjectState) -> str | None:
    if not thing.affordances.dirtyable:
        return f"{thing.objectId} does not have the Dirtyable property!"
    return None if thing.isDirty else f"{thing.objectId} is already clean"


def _any(thing: ObjectState) -> str | None:
    return None


PICKUP = Handling(_free_to_take, pick_up)
PUT = Handling(_any, put_down)
FILL = Handling(_any, fill)
EMPTY = Handling(_any, empty)
OPEN = Handling(_shut, open_up)
CLOSE = Handling(_open, close_up)
SWITCH_ON = Handling(_off, switch_on)
SWITCH_OFF = Handling(_on, switch_off)
SLICE = Handling(_whole, slice_up)
DIRTY = Handling(_clean, dirty)
CLEAN = Handling(_dirty, clean)
COOK = set_flag("cookable", "isCooked")
USE_UP = set_flag("canBeUsedUp", "isUsedUp")
