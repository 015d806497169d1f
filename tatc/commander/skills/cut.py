"""Cut: an object is cut with a knife, or cracked."""

from dataclasses import dataclass

from tatc.actions import Verb
from tatc.commander.draft import Draft
from tatc.commander.skills.hold import Hold, PutDown, Reveal
from tatc.commander.trouble import Reason, Trouble

KNIVES = ("Knife", "ButterKnife")
"""Types whose name contains "Knife", which is what TEACh asks for (spec 2.3)."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The object is in slices; an egg is cracked."""

    object_id: str

    def plan(self, draft: Draft) -> Trouble | None:
        """Fetch the nearest knife that can be had and cut with it."""
        if draft.held == self.object_id:
            return self._laid_down(draft)
        held = draft.get(draft.held) if draft.held else None
        if held is None or held.objectType not in KNIVES:
            if trouble := self._fetch_knife(draft):
                return trouble
        if trouble := Reveal(self.object_id).plan(draft):
            return trouble
        return draft.do(Verb.SLICE, self.object_id)

    def _laid_down(self, draft: Draft) -> Trouble | None:
        return PutDown().plan(draft) or Trouble(Reason.UNCERTAIN, self.object_id)

    def _fetch_knife(self, draft: Draft) -> Trouble | None:
        options = [Hold(knife.objectId) for knife in draft.known.all(*KNIVES)]
        return draft.first(options, Trouble(Reason.NONE_EXISTS, "Knife"))
