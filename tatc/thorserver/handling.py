"""What an agent does to objects: AI2-THOR's interactions and forced changes of state.

Without `forceAction` the object must be visible.  The deeds, and how they are refused,
are the embedded world's.
"""

from collections.abc import Callable

from tatc.actions import Click
from tatc.camera.geometry import Hit
from tatc.camera.rays import TINY, Eye
from tatc.fields import FieldFault, flag, number, text
from tatc.metadata import write_vector
from tatc.sim.embedded.deeds import Deed, fill, pick_up, put_down
from tatc.sim.embedded.hands import place_by_ray
from tatc.sim.embedded.house import House, hand_at
from tatc.sim.embedded.imposed import let_go
from tatc.sim.embedded.slicing import cut
from tatc.state import ObjectState, Vec3
from tatc.thorserver.answers import DONE, MISSING, Answer, Arguments, refused
from tatc.thorserver.stage import Stage

NOT_SEEN = "Target object not found within the specified visibility."
NO_ID = "Object ID appears to be invalid."
EMPTY_HAND = "Can't place an object if Agent isn't holding anything!"
LIQUIDS = ("water", "coffee", "wine")


def handle(deed: Deed) -> Callable[[Stage, Arguments], Answer]:
    """Return the action that does this to the object that its arguments name."""

    def run(stage: Stage, given: Arguments) -> Answer:
        thing = target(stage, given)
        if isinstance(thing, Answer):
            return thing
        why = deed(stage.house, thing, stage.point_on(thing))
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
    done = handle(pick_up)(stage, given)
    held = stage.house.in_hand
    if done.success and held is not None:
        return Answer(value=held.objectId)
    return done


def put(stage: Stage, given: Arguments) -> Answer:
    """Put what is held into the receptacle that is named, or seen at x, y."""
    if stage.house.in_hand is None:
        return refused(EMPTY_HAND)
    if given.get("objectId"):
        return handle(put_down)(stage, given)
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
    done = handle(fill)(stage, given)
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


def set_flag(able: str, name: str) -> Deed:
    """Return what sets a flag of an object that has the affordance for it."""

    def deed(house: House, thing: ObjectState, point: Vec3) -> str | None:
        if not getattr(thing.affordances, able):
            return f"{thing.objectId} is not {able}!"
        if getattr(thing, name):
            return f"{thing.objectId} already: {name}"
        house.change(thing.objectId, **{name: True})
        return None

    return deed


COOK = set_flag("cookable", "isCooked")
USE_UP = set_flag("canBeUsedUp", "isUsedUp")
