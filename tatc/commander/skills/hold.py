"""Hold, PutDown, SetAside, Reveal, Open: what the one hand does."""

from dataclasses import dataclass
from math import hypot

from tatc.actions import Verb
from tatc.commander.draft import Draft
from tatc.commander.skills.space import clear_of, free_spot, has_room
from tatc.commander.trouble import Reason, Trouble
from tatc.state import ObjectState

RESTS = (
    "CounterTop",
    "DiningTable",
    "SideTable",
    "CoffeeTable",
    "Desk",
    "Dresser",
    "TVStand",
    "Shelf",
    "Bed",
    "Sofa",
    "ArmChair",
    "Ottoman",
)
"""Types that a thing may be put down on for the time being, in no order."""

LAST_RESTS = ("Chair", "Stool", "Footstool", "Floor")
"""Types to put a thing down on where no other has room."""

_RESTS_TRIED = 6


@dataclass(frozen=True, slots=True)
class Hold:
    """The hand holds this object."""

    object_id: str

    def plan(self, draft: Draft) -> Trouble | None:
        """Free the hand, reveal the object, and pick it up."""
        if draft.held == self.object_id:
            return None
        if draft.held and (trouble := PutDown().plan(draft)):
            return trouble
        if trouble := Reveal(self.object_id).plan(draft):
            return trouble
        return draft.do(Verb.PICKUP, self.object_id)


@dataclass(frozen=True, slots=True)
class PutDown:
    """The hand is empty: what it held stands on the nearest surface with room.

    `away` names a thing to keep clear of: the thing itself and what is near to it.
    `onto` are the types of surfaces that will do, in no order; any without them.
    """

    away: str = ""
    onto: tuple[str, ...] = ()

    def plan(self, draft: Draft) -> Trouble | None:
        """Place what is held on the nearest surface that should take it."""
        held = draft.get(draft.held) if draft.held else None
        if held is None:
            return None
        options = [_PutOn(place, self.away) for place in self._places(draft, held)]
        return draft.first(options, Trouble(Reason.NO_ROOM, held.objectId))

    def _places(self, draft: Draft, held: ObjectState) -> list[ObjectState]:
        """Return where to try, those that refused much lately after the others."""
        known, pose = draft.known, draft.pose

        def order(place: ObjectState) -> tuple[bool, float]:
            kind = known.kind_of(draft.attempt(Verb.PLACE, place))
            x, _, z = place.box.center
            return known.memory.kinds[kind] > 0, hypot(x - pose.x, z - pose.z)

        def may_do(place: ObjectState) -> bool:
            return place.objectId != self.away and has_room(draft, place, held)

        rests = sorted(known.all(*(self.onto or RESTS), that=may_do), key=order)
        last = () if self.onto else known.all(*LAST_RESTS)
        return [*rests[:_RESTS_TRIED], *last]


@dataclass(frozen=True, slots=True)
class _PutOn:
    place: ObjectState
    away: str = ""

    def plan(self, draft: Draft) -> Trouble | None:
        held = draft.get(draft.held)
        if held is None:
            return None
        spot = free_spot(draft, self.place, held)
        if away := draft.get(self.away):
            spot = clear_of(away, spot)
        return draft.do(Verb.PLACE, self.place.objectId, prefer=spot)


@dataclass(frozen=True, slots=True)
class SetAside:
    """The object stands somewhere else, out of the way.

    `away` names the thing that it was in the way of, to keep clear of it.
    """

    object_id: str
    away: str = ""

    def plan(self, draft: Draft) -> Trouble | None:
        """Pick the object up and put it down on the nearest surface with room."""
        return Hold(self.object_id).plan(draft) or PutDown(self.away).plan(draft)


@dataclass(frozen=True, slots=True)
class Reveal:
    """No closed container hides this object."""

    object_id: str

    def plan(self, draft: Draft) -> Trouble | None:
        """Switch off and open what the object is closed in."""
        thing = draft.get(self.object_id)
        if thing is None:
            return Trouble(Reason.NONE_EXISTS, self.object_id)
        for container in draft.known.parents(thing):
            if trouble := Open(container.objectId).plan(draft):
                return trouble
        return None


@dataclass(frozen=True, slots=True)
class Open:
    """The container is open, if it can be; a running appliance is switched off."""

    object_id: str

    def plan(self, draft: Draft) -> Trouble | None:
        """Open the container unless it is open or has no door."""
        thing = draft.get(self.object_id)
        if thing is None:
            return Trouble(Reason.NONE_EXISTS, self.object_id)
        if thing.isOpen or not thing.affordances.openable:
            return None
        if not thing.affordances.receptacle:
            return None  # a laptop or a book: nothing lies inside
        if thing.isToggled and (trouble := draft.do(Verb.TOGGLE_OFF, self.object_id)):
            return trouble
        return draft.do(Verb.OPEN, self.object_id)
