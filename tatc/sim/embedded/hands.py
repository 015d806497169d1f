"""The Follower's interactions, step by step as TEACh does them (spec section 2.3).

Precondition, what the click means, the distance veto, what AI2-THOR does, TEACh's
bookkeeping, slices, then the rules of water and heat, whether or not it went well.
"""

from math import dist

from tatc.actions import Action, ActionResult, Click, Role, Verb
from tatc.affordances import affords
from tatc.camera.clicks import eye_of, resolve
from tatc.camera.geometry import Hit
from tatc.camera.rays import Eye
from tatc.sim.effects import Mark, inherited, picked_up, placed, run_rules
from tatc.sim.embedded.appliances import run_appliances
from tatc.sim.embedded.deeds import DEEDS
from tatc.sim.embedded.house import House
from tatc.sim.hints import hint_for
from tatc.state import ObjectState, Snapshot

REACH = 1.5
"""Metres from the body's position to the clicked point, inclusive (spec 2.3.4)."""
_LAYERS = 4  # things in front of a receptacle that a Place looks behind


def interact(
    house: House, action: Action, target_id: str | None = None
) -> ActionResult:
    """Carry out one interaction of the Follower.

    `target_id` takes the place of the object that the click means, after the distance
    was checked, as TEACh's replay does it (spec 2.3.7).
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


def _attempt(house: House, action: Action, target_id: str | None) -> ActionResult:
    verb, click = action.verb, action.click
    refusal = _unready(house, verb)
    if refusal is not None:
        return _refused(refusal)
    if click is None:
        return _refused(f"{verb} needs a click: Could not find a target object")
    eye = eye_of(house.follower)
    meant = _meant(house, eye, verb, click)
    if meant is None and target_id is None:
        return _refused(
            f"Could not find a target object for {verb} at ({click.x:.2f}, "
            f"{click.y:.2f})"
        )
    named = house.find(target_id) if target_id is not None else None
    target = named or meant
    if target is None:
        return _refused(f"Object ID {target_id} is invalid")
    hit = house.geometry.first(eye, click) or _beside(house, target)
    if dist(hit.point, house.follower.position) > REACH:
        return _refused(f"Agent {Role.FOLLOWER} is too far away to {verb}")
    return _do(house, action, target, hit, forced=named is not None)


def _beside(house: House, target: ObjectState) -> Hit:
    """Return the hit of a click that passes an object by and meets nothing else.

    AI2-THOR's ray would end at a wall or at a piece of furniture that no box tells of.
    """
    point = target.box.center
    away = dist(point, eye_of(house.follower).position)
    return Hit(house.index(target.objectId), away, point)


def _unready(house: House, verb: Verb) -> str | None:
    """Return why an interaction cannot be tried at all, or None (spec 2.3.2)."""
    held = house.in_hand
    if verb is Verb.PLACE and held is None:
        return "Place: ObjectInteraction only supported when holding an object"
    if verb is Verb.SLICE and (held is None or "Knife" not in held.objectType):
        return "Slice: ObjectInteraction only supported for held object Knife"
    if verb is Verb.POUR and (held is None or not held.isFilledWithLiquid):
        return "Pour: ObjectInteraction needs a held object filled with liquid"
    return None


def _meant(house: House, eye: Eye, verb: Verb, click: Click) -> ObjectState | None:
    things = house.things
    i = resolve(house.geometry, eye, click, lambda i: affords(verb, things[i]))
    return None if i is None else things[i]


def _do(
    house: House, action: Action, target: ObjectState, hit: Hit, *, forced: bool
) -> ActionResult:
    verb, held = action.verb, house.in_hand
    refusal: str | None = "Place: no receptacle"
    if verb is not Verb.PLACE or forced:
        refusal = DEEDS[verb](house, target, hit.point)
    if verb is Verb.PLACE and refusal is not None:
        refusal = _place_by_ray(house, action, hit)
    if refusal is not None:
        return _refused(refusal)
    keep_books(house, verb, target, held)
    return ActionResult(True, _done(action, target), None, target.objectId)


def _place_by_ray(house: House, action: Action, hit: Hit) -> str | None:
    """Put what is held where AI2-THOR's own ray ends, whatever the click meant."""
    found = _receptacle(house, action, hit)
    if isinstance(found, str):
        return found
    return DEEDS[Verb.PLACE](house, house.things[found.index], found.point)


def _receptacle(house: House, action: Action, hit: Hit) -> Hit | str:
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
        assert action.click is not None
        found = house.geometry.first(eye, action.click)
    for i in hidden:
        house.geometry.update(i, house.things[i])
    if found is None or not house.things[found.index].affordances.receptacle:
        return f"{house.things[hit.index].objectId} is NOT a receptacle!"
    return found


def keep_books(
    house: House, verb: Verb, target: ObjectState, held: ObjectState | None
) -> None:
    """Do TEACh's own bookkeeping of a success (spec 2.2)."""
    now = house.snapshot()
    if verb is Verb.PICKUP:
        house.apply(picked_up(target.objectId, now.objects))
    elif verb is Verb.PLACE and held is not None:
        house.apply(placed(held.objectId, target.objectId, now))
    elif verb is Verb.POUR and held is not None:
        house.apply([Mark(held.objectId, "simbotIsFilledWithCoffee", False)])


def _done(action: Action, target: ObjectState) -> str:
    if action.verb is Verb.PICKUP:
        return f"picked up {target.objectType}"
    if action.verb is Verb.PLACE:
        return f"placed in {target.objectId}"
    click = action.click
    assert click is not None
    return f"{action.verb} @ ({click.x:.2f}, {click.y:.2f})"


def _refused(message: str) -> ActionResult:
    return ActionResult(False, message, hint_for(message))
