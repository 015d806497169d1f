"""PlaceIn: an object comes to stand in or on a receptacle."""

from dataclasses import dataclass

from tatc.actions import Verb
from tatc.commander.draft import Draft
from tatc.commander.skills.hold import Hold, Open, Reveal
from tatc.commander.skills.space import free_spot, has_room
from tatc.commander.trouble import Reason, Trouble


@dataclass(frozen=True, slots=True)
class PlaceIn:
    """The object is in or on this receptacle."""

    object_id: str
    receptacle_id: str

    def plan(self, draft: Draft) -> Trouble | None:
        """Fetch the object, open the receptacle, and place it on a free spot."""
        thing = draft.get(self.object_id)
        receptacle = draft.get(self.receptacle_id)
        if thing is None or receptacle is None:
            return Trouble(Reason.NONE_EXISTS, self.object_id)
        if self.receptacle_id in (p.objectId for p in draft.known.parents(thing)):
            return None
        if not has_room(draft, receptacle, thing):
            return Trouble(Reason.NO_ROOM, self.receptacle_id, self.object_id)
        if trouble := Reveal(self.receptacle_id).plan(draft):
            return trouble
        if trouble := Hold(self.object_id).plan(draft):
            return trouble
        if trouble := Open(self.receptacle_id).plan(draft):
            return trouble
        spot = free_spot(draft, receptacle, thing)
        return draft.do(Verb.PLACE, self.receptacle_id, prefer=spot)
