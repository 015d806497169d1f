"""Short names for objects: "Mug", and "Mug 2" where there are several."""

import re

from tatc.state import Snapshot

_ID = re.compile(r"'?\b([A-Z]\w*(?:\|[^\s|'\",():]+)+)'?")
_FIELD = re.compile(r"\b(?:object|receptacle|appliance|item|\w+)_id=")


class Names:
    """The short names of a snapshot's objects; they stay while a session lasts."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Count the objects of each type, in the snapshot's order."""
        self._short: dict[str, str] = {}
        for kind, found in snapshot.roster.types.items():
            for n, i in enumerate(found, 1):
                name = f"{kind} {n}" if len(found) > 1 else kind
                self._short[snapshot.objects[i].objectId] = name

    def of(self, object_id: str) -> str:
        """Return the short name of an object; its type where it is not there now."""
        found = self._short.get(object_id)
        return found or object_id.partition("|")[0]

    def shorten(self, text: str) -> str:
        """Return a text with ids made short, and the names of their fields dropped."""
        return _FIELD.sub("", _ID.sub(lambda match: self.of(match[1]), text))
