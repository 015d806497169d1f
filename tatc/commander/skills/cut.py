"""Cut: an object is cut with a knife, or cracked."""

from dataclasses import dataclass

from tatc.actions import KNIVES, Verb
from tatc.commander.draft import Draft
from tatc.commander.skills.hold import Hold, PutDown, Reveal
from tatc.commander.trouble import Reason, Trouble

OPEN = ("CounterTop", "DiningTable", "SideTable", "CoffeeTable", "Desk", "Dresser")
"""Types on which slices lie in the open, in no order."""
CRAMPED = frozenset({"Bowl", "GarbageCan", "Pot", "Shelf"})
"""Types, beside all that opens, in which slices are hidden from most places."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The object is in slices; an egg is cracked."""

    object_id: str

    def plan(self, draft: Draft) -> Trouble | None:
        """Fetch the nearest knife that can be had and cut with it."""
        if draft.held == self.object_id:
            return self._laid_down(draft)
        if self._is_cramped(draft):
            trouble = draft.run((Hold(self.object_id), PutDown(onto=OPEN)))
            if trouble is None or trouble.passes:
                return trouble or Trouble(Reason.UNCERTAIN, self.object_id)
        held = draft.get(draft.held) if draft.held else None
        if held is None or held.objectType not in KNIVES:
            if trouble := self._fetch_knife(draft):
                return trouble
        if trouble := Reveal(self.object_id).plan(draft):
            return trouble
        return draft.do(Verb.SLICE, self.object_id)

    def _laid_down(self, draft: Draft) -> Trouble | None:
        options = (PutDown(onto=OPEN), PutDown())
        trouble = draft.first(options, Trouble(Reason.NO_ROOM, self.object_id))
        return trouble or Trouble(Reason.UNCERTAIN, self.object_id)

    def _is_cramped(self, draft: Draft) -> bool:
        """Whether it lies where slices might be hidden: in a case or under a board.

        An egg gives one piece, where it lies, and is often to be cracked in a vessel.
        """
        thing = draft.get(self.object_id)
        if thing is None or thing.objectType == "Egg":
            return False
        parents = draft.known.parents(thing)
        return any(p.affordances.openable or p.objectType in CRAMPED for p in parents)

    def _fetch_knife(self, draft: Draft) -> Trouble | None:
        options = [Hold(knife.objectId) for knife in draft.known.all(*KNIVES)]
        return draft.first(options, Trouble(Reason.NONE_EXISTS, "Knife"))
