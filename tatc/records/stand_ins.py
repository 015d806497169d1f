"""Which object of a world stands for one that a recording names."""

from tatc.state import Snapshot


class StandIns:
    """Which object stands for a recorded one that a world lacks.

    A thing may fall into fewer pieces here than it did in the recording; a piece that
    is lacking is stood for by another of the same whole, the same one ever after.
    """

    def __init__(self) -> None:
        """Know of none yet."""
        self._known: dict[str, str] = {}

    def of(self, object_id: str, world: Snapshot) -> str | None:
        """Return the id of the object itself or of its stand-in, None for none."""
        if world.get(object_id) is not None:
            return object_id
        if object_id not in self._known:
            found = self._found(object_id, world)
            if found is None:
                return None
            self._known[object_id] = found
        return self._known[object_id]

    def _found(self, object_id: str, world: Snapshot) -> str | None:
        whole, _, piece = object_id.rpartition("|")
        kind = piece.rpartition("_")[0]
        taken = set(self._known.values())
        found = [
            thing
            for thing in (world.of_type(kind) if kind else ())
            if thing.objectId.startswith(f"{whole}|") and not thing.isPickedUp
        ]
        free = [thing for thing in found if thing.objectId not in taken] or found
        # Last piece first: the recorded ones that are not lacking count from 0.
        return free[-1].objectId if free else None
