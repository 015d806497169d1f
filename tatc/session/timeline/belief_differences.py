"""Where a belief and the world differ: what a Follower takes wrongly, and what it does not know."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from math import dist

from tatc.home.state import ObjectState, ShortNames, Snapshot, type_in_id
from tatc.language.object_names import preposition_for
from tatc.session.timeline.belief_in_world import BeliefInWorld
from tatc.sim.top_view.plan_model import BACKDROP_TYPES, state_words

MOVED_METRES = 0.25
"""An object that is farther than this from where it is believed is believed elsewhere, metres."""


class DifferenceKind(StrEnum):
    """How a belief differs from the world."""

    WRONG = "wrong"
    NOT_THERE = "not there"
    UNSEEN = "unseen"


@dataclass(frozen=True, slots=True)
class Difference:
    """One object about which a belief and the world differ.

    `object_id` is that of the world, or for `NOT_THERE` that of the belief in the world.  `text`
    says what differs: "Mug 2: believed dirty, is clean".
    """

    kind: DifferenceKind
    object_id: str
    text: str


def find_differences(placed: BeliefInWorld) -> tuple[Difference, ...]:
    """Return what a belief takes wrongly, then what is not there, then what was not seen.

    Walls and floor, and what has been cut up, do not count, nor what a thing is in where the world
    does not say.  Of what was not seen, things that can be carried come first.
    """
    world = placed.world
    names = ShortNames(world)
    wrong, absent = list[Difference](), list[Difference]()
    for believed in placed.snapshot.objects:
        if believed.objectType in BACKDROP_TYPES or believed.isSliced:
            continue
        true = world.get(believed.objectId)
        if true is None:
            where = f" {_place(believed, names)}" if believed.parentReceptacles else ""
            text = f"{believed.objectType}: believed{where}, and is not there"
            absent.append(Difference(DifferenceKind.NOT_THERE, believed.objectId, text))
        elif what := "; ".join(_faults(believed, true, names)):
            text = f"{names.name_of(true.objectId)}: {what}"
            wrong.append(Difference(DifferenceKind.WRONG, true.objectId, text))
    return (*wrong, *absent, *_unseen(placed.snapshot, world, names))


def _unseen(believed: Snapshot, world: Snapshot, names: ShortNames) -> Iterator[Difference]:
    unseen = [
        obj
        for obj in world.objects
        if obj.objectType not in BACKDROP_TYPES
        and not obj.isSliced
        and believed.get(obj.objectId) is None
    ]
    for obj in sorted(unseen, key=lambda each: not each.affordances.pickupable):
        name = names.name_of(obj.objectId)
        text = f"{name} {_place(obj, names)}" if obj.parentReceptacles else name
        yield Difference(DifferenceKind.UNSEEN, obj.objectId, text)


def _faults(believed: ObjectState, true: ObjectState, names: ShortNames) -> Iterator[str]:
    ours, theirs = state_words(believed), state_words(true)
    extra = ", ".join(word for word in ours if word not in theirs)
    lacking = ", ".join(word for word in theirs if word not in ours)
    if extra or lacking:
        yield ", ".join(filter(None, (extra and f"believed {extra}", lacking and f"is {lacking}")))
    if believed.isPickedUp or true.isPickedUp or not believed.affordances.pickupable:
        return
    inside, around = believed.parentReceptacles or (), true.parentReceptacles
    if around is not None and not set(inside) & set(around) and (inside or around):
        yield f"believed {_place(believed, names)}, is {_place(true, names)}"
    elif (apart := dist(believed.box.center, true.box.center)) > MOVED_METRES:
        yield f"{apart:.1f} m from where it is believed"


def _place(obj: ObjectState, names: ShortNames) -> str:
    if obj.isPickedUp:
        return "in the hand"
    parents = obj.parentReceptacles or ()
    if not parents:
        return "by itself"
    return f"{preposition_for(type_in_id(parents[0]))} {names.name_of(parents[0])}"
