"""The room from above in letters, for the Commander: furniture, floor, and the Follower."""

from collections.abc import Iterable

from tatc.home.actions import Cell, cell_of
from tatc.home.state import ObjectState, Pose, Snapshot
from tatc.home.types.facts import FLOOR_TYPE
from tatc.session.text_world.wording import phrase, wording

MAX_MAP_CELLS = 60
"""The most cells along a side of the map; a room that is larger is cut."""
_LETTERS = "ABCDEGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"  # F is the Follower
_UNNAMED = "#"
_LEAST_WIDTH_METRES = 0.2


def draw_room_map(snapshot: Snapshot, floor: Iterable[Pose]) -> str:
    """Return the map: x grows to the right, z upwards, a letter for 0.25 m.

    Args:
        snapshot: the objects and the Follower.
        floor: the poses that the Follower can reach.

    """
    here = cell_of(snapshot.follower.position[0], snapshot.follower.position[2])
    cells = {cell_of(pose.x, pose.z) for pose in floor} | {here}
    furniture = [obj for obj in snapshot.objects if _is_furniture(obj)]
    names = sorted({obj.objectType for obj in furniture})
    letters = dict(zip(names, _LETTERS, strict=False))
    drawn = dict.fromkeys(cells, ".")
    for obj in furniture:
        for cell in _cells_under(obj):
            drawn.setdefault(cell, letters.get(obj.objectType, _UNNAMED))
    drawn[here] = "F"
    facing = wording()["commander"]["facings"][round(snapshot.follower.yaw / 90.0) % 4]
    legend = [
        phrase("commander", "map_follower").format(facing=facing),
        phrase("commander", "map_free"),
        *(
            phrase("commander", "map_legend").format(letter=letter, types=name)
            for name, letter in letters.items()
        ),
    ]
    return "\n".join((*_rows(drawn), ", ".join(legend)))


def _is_furniture(obj: ObjectState) -> bool:
    if obj.affordances.pickupable or obj.objectType == FLOOR_TYPE:
        return False
    return (
        obj.affordances.receptacle and max(obj.box.size[0], obj.box.size[2]) > _LEAST_WIDTH_METRES
    )


def _cells_under(obj: ObjectState) -> Iterable[Cell]:
    low, high = obj.box.bounds()
    (left, bottom), (right, top) = cell_of(low[0], low[2]), cell_of(high[0], high[2])
    return ((x, z) for x in range(left, right + 1) for z in range(bottom, top + 1))


def _rows(drawn: dict[Cell, str]) -> list[str]:
    left, bottom = (min(cell[axis] for cell in drawn) for axis in (0, 1))
    right = min(max(x for x, _ in drawn), left + MAX_MAP_CELLS - 1)
    top = min(max(z for _, z in drawn), bottom + MAX_MAP_CELLS - 1)
    return [
        "".join(drawn.get((x, z), " ") for x in range(left, right + 1)).rstrip()
        for z in range(top, bottom - 1, -1)
    ]
