"""Which object of a world stands for one that a recording names."""

from tatc.state import Snapshot


class ObjectSubstitutes:
    """Which object stands for a recorded one that a world lacks.

    A thing may fall into fewer pieces here than it did in the recording; a piece that
    is lacking is stood for by another of the same whole, the same one ever after.
    """

    def __init__(self) -> None:
        """Know of none yet."""
        self._substitute_ids: dict[str, str] = {}

    def object_id_in(self, object_id: str, world: Snapshot) -> str | None:
        """Return the id of the object itself or of its stand-in, None for none."""
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
        found = [
            obj
            for obj in (world.of_type(kind) if kind else ())
            if obj.objectId.startswith(f"{whole}|") and not obj.isPickedUp
        ]
        free = [obj for obj in found if obj.objectId not in taken] or found
        # Last piece first: the recorded ones that are not lacking count from 0.
        return free[-1].objectId if free else None
