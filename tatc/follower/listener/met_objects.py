"""Which object of the semantic map an action met, by the number that its result tells."""

from collections.abc import Iterable
from dataclasses import replace
from math import dist, inf

from tatc.follower import PastAction
from tatc.follower.listener.expected_effects import expect_effects, expect_running
from tatc.follower.listener.exploration import Explorer
from tatc.follower.listener.semantic_map import SemanticMap
from tatc.home.actions import Verb
from tatc.home.percepts import View
from tatc.home.state import ObjectState, Vec3
from tatc.home.type_facts import WHOLE_TYPE_BY_PIECE

HAND_METRES = 0.3
"""How far from what it aims at a hand may take something else, metres."""


def id_of_number(belief: SemanticMap, number: int | None) -> str | None:
    """Return the id of the object with a number in views, None where there is none."""
    if number is None:
        return None
    end = f"|{number}"
    return next((obj.objectId for obj in belief.objects if obj.objectId.endswith(end)), None)


def id_of_met(belief: SemanticMap, number: int | None, aimed_at: str) -> str:
    """Return the id of the object that an action met, by its number in views if it is known."""
    return id_of_number(belief, number) or aimed_at


def id_of_taken(belief: SemanticMap, number: int | None, aimed_at: str) -> str:
    """Return the id of what the hand took, by its number in views.

    What has not been seen yet, because something hid it, is taken to be like what hid it: like
    the nearest other thing, or where a slice was aimed at, another slice.
    """
    known = id_of_number(belief, number)
    like = belief.get(aimed_at)
    if known is not None or number is None or like is None:
        return known or aimed_at
    if like.objectType not in WHOLE_TYPE_BY_PIECE:
        like = _nearest_to(like, belief.objects) or like
    name = f"{like.objectType}|{number}"
    belief.add(replace(like, objectId=name, name=name))
    return name


def id_of_unseen(belief: SemanticMap, kind: str, number: int | None) -> str | None:
    """Return the id of what the hand took though no view had shown it; None if it is unknown.

    It is taken to be like the nearest object of its type, and without a number to be that.
    """
    body = belief.body.position
    alike = [obj for obj in belief.objects if obj.objectType == kind and not obj.isSliced]
    like = min(alike, key=lambda obj: dist(obj.box.center, body), default=None)
    if like is None or number is None:
        return None if like is None else like.objectId
    name = f"{kind}|{number}"
    belief.add(replace(like, objectId=name, name=name))
    return name


def expect_effects_met(
    belief: SemanticMap, verb: Verb, number: int | None, aimed_at: str, point: Vec3 | None
) -> bool:
    """Change the map as a successful interaction should have changed the home.

    Args:
        belief: the map.
        verb: what was done.
        number: that of the object that the action met, in views; None if unknown.
        aimed_at: the id of the object that was aimed at.
        point: the clicked point, None if unknown.

    Returns:
        Whether it met an object of the type that was aimed at.

    """
    find = id_of_taken if verb is Verb.PICKUP else id_of_met
    met = find(belief, number, aimed_at)
    expect_effects(belief, verb, met, point)
    return met.partition("|")[0] == aimed_at.partition("|")[0]


def _nearest_to(obj: ObjectState, others: Iterable[ObjectState]) -> ObjectState | None:
    """Return what else can be picked up and lies nearest to an object; None where nothing is near.

    Near is within `HAND_METRES`.
    """
    near = (
        (dist(each.box.center, obj.box.center), each.objectId, each)
        for each in others
        if each.affordances.pickupable and not (each.isPickedUp or each.isSliced)
    )
    away, _, nearest = min((each for each in near if each[2] is not obj), default=(inf, "", None))
    return nearest if away <= HAND_METRES else None


# What a Follower that takes a session over learns from what was in view before.


def see_past(
    belief: SemanticMap, explorer: Explorer, past: Iterable[PastAction], views: Iterable[View]
) -> None:
    """Take in what was in view before each past action, and what each should have changed."""
    for done, view in zip(past, views, strict=False):
        belief.see(view)
        expect_running(belief)
        explorer.note_view()
        object_id = id_of_number(belief, done.number)
        if object_id is None and done.verb is Verb.PICKUP and done.object_type is not None:
            object_id = id_of_unseen(belief, done.object_type, done.number)
        if object_id is not None:
            expect_effects(belief, done.verb, object_id, None)
