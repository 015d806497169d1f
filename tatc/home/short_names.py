"""Short names of objects, as people read them: "Mug", and "Mug 2" where there are several."""

import re

from tatc.home.state import Snapshot

_OBJECT_ID_PATTERN = re.compile(r"'?\b([A-Z]\w*(?:\|[^\s|'\",():]+)+)'?")
_ID_FIELD_PATTERN = re.compile(r"\b(?:object|receptacle|appliance|item|\w+)_id=")


def type_in_id(object_id: str) -> str:
    """Return the type that an object's id names; that of a piece stands at its end."""
    kind, *rest = object_id.split("|")
    return rest[3].partition("_")[0] if len(rest) > 3 else kind


class ShortNames:
    """The short names of a snapshot's objects, which stay the same through a session."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Count the objects of each type, in the snapshot's order."""
        self._short_names: dict[str, str] = {}
        for kind, found in snapshot.object_index.by_type.items():
            for n, i in enumerate(found, 1):
                name = f"{kind} {n}" if len(found) > 1 else kind
                self._short_names[snapshot.objects[i].objectId] = name

    def name_of(self, object_id: str) -> str:
        """Return the short name of an object; its type where the snapshot lacks it."""
        found = self._short_names.get(object_id)
        return found or type_in_id(object_id)

    def shorten(self, text: str) -> str:
        """Return a text with object ids shortened, and without the names of their fields."""
        return _ID_FIELD_PATTERN.sub(
            "", _OBJECT_ID_PATTERN.sub(lambda match: self.name_of(match[1]), text)
        )
