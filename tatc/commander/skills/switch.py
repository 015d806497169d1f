"""Switch, Swing: a thing is on or off, open or closed."""

from dataclasses import dataclass

from tatc.actions import Verb
from tatc.commander.draft import Draft
from tatc.commander.trouble import Reason, Trouble


@dataclass(frozen=True, slots=True)
class Switch:
    """The object is switched on, or off."""

    object_id: str
    on: bool

    def plan(self, draft: Draft) -> Trouble | None:
        """Switch it unless it is so; what runs with its door closed is closed first."""
        thing = draft.get(self.object_id)
        if thing is None:
            return Trouble(Reason.NONE_EXISTS, self.object_id)
        if thing.isToggled == self.on:
            return None
        if self.on and thing.isOpen and thing.objectType == "Microwave":
            if trouble := draft.do(Verb.CLOSE, self.object_id):
                return trouble
        verb = Verb.TOGGLE_ON if self.on else Verb.TOGGLE_OFF
        return draft.do(verb, self.object_id)


@dataclass(frozen=True, slots=True)
class Swing:
    """The object is open, or closed."""

    object_id: str
    is_open: bool

    def plan(self, draft: Draft) -> Trouble | None:
        """Open or close it unless it is so."""
        thing = draft.get(self.object_id)
        if thing is None:
            return Trouble(Reason.NONE_EXISTS, self.object_id)
        if thing.isOpen == self.is_open:
            return None
        verb = Verb.OPEN if self.is_open else Verb.CLOSE
        return draft.do(verb, self.object_id)
