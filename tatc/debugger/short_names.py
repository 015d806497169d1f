"""Short names for objects: "Mug", and "Mug 2" where there are several."""

import re

from tatc.state import Snapshot

_OBJECT_ID_PATTERN = re.compile(r"'?\b([A-Z]\w*(?:\|[^\s|'\",():]+)+)'?")
_ID_FIELD_PATTERN = re.compile(r"\b(?:object|receptacle|appliance|item|\w+)_id=")


class ShortNames:
    """The short names of a snapshot's objects; they stay while a session lasts."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Count the objects of each type, in the snapshot's order."""
        self._short_names: dict[str, str] = {}
        for kind, found in snapshot.object_index.by_type.items():
            for n, i in enumerate(found, 1):
                name = f"{kind} {n}" if len(found) > 1 else kind
                self._short_names[snapshot.objects[i].objectId] = name

    def name_of(self, object_id: str) -> str:
        """Return the short name of an object; its type where it is not there now."""
        found = self._short_names.get(object_id)
        return found or object_id.partition("|")[0]

    def shorten(self, text: str) -> str:
        """Return a text with ids made short, and the names of their fields dropped."""
        return _ID_FIELD_PATTERN.sub(
            "", _OBJECT_ID_PATTERN.sub(lambda match: self.name_of(match[1]), text)
        )
