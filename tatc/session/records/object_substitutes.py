"""Finds objects of a world that substitute for objects of a recording."""

from tatc.home.state import Snapshot


class ObjectSubstitutes:
    """The substitutes of recorded objects that a world does not have.

    An object may be cut into fewer pieces here than in the recording.  A missing piece is
    substituted by another piece of the same whole, the same one from then on.
    """

    def __init__(self) -> None:
        """Start without substitutes."""
        self._substitute_ids: dict[str, str] = {}

    def object_id_in(self, object_id: str, world: Snapshot) -> str | None:
        """Return the id of the object or of its substitute; None if it has neither."""
        if world.get(object_id) is not None:
            return object_id
        if object_id not in self._substitute_ids:
            found = self._find_substitute(object_id, world)
            if found is None:
                return None
            self._substitute_ids[object_id] = found
        return self._substitute_ids[object_id]

    def _find_substitute(self, object_id: str, world: Snapshot) -> str | None:
        whole, _, piece = object_id.rpartition("|")
        kind = piece.rpartition("_")[0]
        taken = set(self._substitute_ids.values())
        pieces = [
            obj
            for obj in (world.of_type(kind) if kind else ())
            if obj.objectId.startswith(f"{whole}|") and not obj.isPickedUp
        ]
        free = [obj for obj in pieces if obj.objectId not in taken] or pieces
        # The last piece: recorded pieces that exist here have the low numbers.
        return free[-1].objectId if free else None
