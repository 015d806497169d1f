"""The Follower's interactions, step by step as TEACh does them (spec section 2.3).

Precondition, what the click means, the distance veto, what AI2-THOR does, TEACh's
bookkeeping, slices, then the rules of water and heat, whether or not it went well.
"""

from math import dist

from tatc.actions import Action, ActionResult, Click, Verb
from tatc.affordances import affords
from tatc.camera.clicks import eye_of, resolve
from tatc.camera.geometry import Hit
from tatc.camera.rays import Eye
from tatc.sim.effects import inherited, run_rules
from tatc.sim.embedded.aiming import entry, point_on
from tatc.sim.embedded.appliances import run_appliances
from tatc.sim.embedded.deeds import DEEDS
from tatc.sim.embedded.house import House
from tatc.sim.embedded.placing import MUST_BE_OPEN
from tatc.sim.manners import (
    REACH,
    books,
    no_target,
    refused,
    succeeded,
    too_far,
    unready,
)
from tatc.state import ObjectState, Snapshot, Vec3

_LAYERS = 4  # things in front of a receptacle that a Place looks behind


def interact(
    house: House, action: Action, target_id: str | None = None
) -> ActionResult:
    """Carry out one interaction of the Follower.

    `target_id` takes the place of the object that the click means (spec 2.3.7).  The
    click is then taken to end on it, as near as its ray comes into the object's box.
    """
    before = house.snapshot()
    result = _attempt(house, action, target_id)
    finish(house, action.verb, before, done=result.success)
    return result


def finish(house: House, verb: Verb, before: Snapshot, *, done: bool) -> None:
    """Let slices inherit, machines and TEACh's rules run, as after each interaction."""
    if done and verb is Verb.SLICE:
        house.apply(inherited(house.snapshot()))
    run_appliances(house)
    run_rules(house.snapshot, house.apply, before)


def meant(house: House, action: Action) -> ObjectState | None:
    """Return the object that a click means for its verb, None for none (spec 2.4)."""
    if action.click is None:
        return None
    return _meant(house, eye_of(house.follower), action.verb, action.click)


def into_itself(house: House, verb: Verb, named: ObjectState | None) -> bool:
    """Say whether what is held is to be put into itself.

    AI2-THOR's ray goes through what is held, so where TEACh took it for what a click
    meant, it came to stand in what is behind: the click is to say in what.
    """
    return verb is Verb.PLACE and named is not None and named is house.in_hand


def _attempt(house: House, action: Action, target_id: str | None) -> ActionResult:
    verb, click = action.verb, action.click
    refusal = unready(verb, house.in_hand)
    if refusal is not None:
        return refused(refusal)
    if click is None:
        return refused(no_target(action))
    eye = eye_of(house.follower)
    meant = _meant(house, eye, verb, click)
    if meant is None and target_id is None:
        return refused(no_target(action))
    named = house.find(target_id) if target_id is not None else None
    if into_itself(house, verb, named):
        named = None
    target = named or meant
    if target is None:
        return refused(f"Object ID {target_id} is invalid")
    shut = _shut_in(house, target)
    if shut is not None:
        return refused(f"{target.objectId} is not visible: {shut.objectId} is closed")
    hit = house.geometry.first(eye, click) or _beside(house, target)
    if not _in_reach(house, hit, named and entry(house, named, click)):
        return refused(too_far(verb))
    point = None if named is None else point_on(house, named, click)
    return _do(house, action, target, hit, point)


def _in_reach(house: House, hit: Hit, entry: Vec3 | None) -> bool:
    """Whether a click is near enough, or its ray enters the named object so."""
    body = house.follower.position
    if entry is not None and dist(entry, body) <= REACH:
        return True
    return dist(hit.point, body) <= REACH


def _shut_in(house: House, target: ObjectState) -> ObjectState | None:
    """Return the closed container that an object is in, None where it is in none.

    What sticks out of it by its box is not to be had either: of 833 pickups in 120
    recorded sessions none took a thing out of what was closed, but for five that lay
    on the lid of a toilet.
    """
    parents = map(house.find, target.parentReceptacles or ())
    closed = (
        each
        for each in parents
        if each is not None
        and each.objectType in MUST_BE_OPEN
        and each.affordances.openable
        and not each.isOpen
    )
    return next(closed, None)


def _beside(house: House, target: ObjectState) -> Hit:
    """Return the hit of a click that passes an object by and meets nothing else.

    AI2-THOR's ray would end at a wall or at a piece of furniture that no box tells of.
    """
    point = target.box.center
    away = dist(point, eye_of(house.follower).position)
    return Hit(house.index(target.objectId), away, point)


def _meant(house: House, eye: Eye, verb: Verb, click: Click) -> ObjectState | None:
    things = house.things
    i = resolve(house.geometry, eye, click, lambda i: affords(verb, things[i]))
    return None if i is None else things[i]


def _do(
    house: House, action: Action, target: ObjectState, hit: Hit, named: Vec3 | None
) -> ActionResult:
    """Do what is asked to an object; `named` is where on it, where it was named."""
    verb, held = action.verb, house.in_hand
    refusal: str | None = "Place: no receptacle"
    if verb is not Verb.PLACE or named is not None:
        refusal = DEEDS[verb](house, target, named or hit.point)
    if verb is Verb.PLACE and refusal is not None and action.click is not None:
        refusal = place_by_ray(house, action.click, hit)
    if refusal is not None:
        return refused(refusal)
    keep_books(house, verb, target, held)
    return succeeded(action, target)


def place_by_ray(house: House, click: Click, hit: Hit) -> str | None:
    """Put what is held where AI2-THOR's own ray ends, whatever the click meant.

    Returns why it cannot be put there, None where it is.
    """
    found = _receptacle(house, click, hit)
    if isinstance(found, str):
        return found
    return DEEDS[Verb.PLACE](house, house.things[found.index], found.point)


def _receptacle(house: House, click: Click, hit: Hit) -> Hit | str:
    """Return the receptacle that AI2-THOR's own ray finds for a Place (spec 2.3.5).

    What is no receptacle, such as food on a plate, is looked behind.
    """
    eye, hidden = eye_of(house.follower), list[int]()
    found: Hit | None = hit
    for _ in range(_LAYERS):
        if found is None or house.things[found.index].affordances.receptacle:
            break
        hidden.append(found.index)
        house.geometry.hide(found.index)
        found = house.geometry.first(eye, click)
    for i in hidden:
        house.geometry.update(i, house.things[i])
    if found is None or not house.things[found.index].affordances.receptacle:
        return f"{house.things[hit.index].objectId} is NOT a receptacle!"
    return found


def keep_books(
    house: House, verb: Verb, target: ObjectState, held: ObjectState | None
) -> None:
    """Do TEACh's own bookkeeping of a success (spec 2.2)."""
    house.apply(books(verb, target, held, house.snapshot()))
