"""Makes tables as high as the objects that lay on them in AI2-THOR 2.1.0.

Later versions have other models of some tables.  Where several objects of a trajectory's scene
float above a table at one height, and nothing else is below them, the table reached up to them.
Where they are in its box, far below its top, the box reaches over the board, such as to the top of
a desk's rack: the board is where they lie.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median

from tatc.home.state import Box, ObjectState
from tatc.home.types.facts import ACCEPTED_TYPES, TALL_BOX_TABLE_TYPES
from tatc.session.alfred.initial_receptacles import explains
from tatc.sim.embedded.placement.support_surfaces import surfaces_of

_MIN_GAP_METRES, _MAX_GAP_METRES = 0.12, 0.4  # that objects may float above such a table
_MIN_BOARD_METRES = 0.3  # of the height of a board under which there is more of the table
_MIN_RACK_METRES = 0.4  # that a box reaches over its board
_MIN_OBJECTS = 3  # that agree about its height
_AGREEMENT_METRES = 0.05  # within which their heights agree


def with_table_heights(
    fixed: Sequence[ObjectState], carried: Sequence[ObjectState]
) -> Iterator[ObjectState]:
    """Yield the furniture, with higher or lower boxes for tables at whose tops nothing lies."""
    hosts = [obj for obj in fixed if obj.affordances.receptacle]
    floating = [obj for obj in carried if not any(explains(host, obj) for host in hosts)]
    for obj in fixed:
        height = _observed_height(obj, floating)
        yield obj if height is None else _with_top(obj, height)


def _observed_height(table: ObjectState, floating: Sequence[ObjectState]) -> float | None:
    if not table.affordances.receptacle or table.objectType in ACCEPTED_TYPES:
        return None
    if any(surface.inside for surface in surfaces_of(table)):
        return None
    top = table.box.center[1] + table.box.size[1] / 2
    levels = [
        obj.box.center[1] - obj.box.size[1] / 2
        for obj in floating
        if table.box.horizontal_distance(obj.box.center[0], obj.box.center[2]) == 0.0
    ]
    above = [level for level in levels if _MIN_GAP_METRES < level - top <= _MAX_GAP_METRES]
    reaches_over = table.objectType in TALL_BOX_TABLE_TYPES
    below = [level for level in levels if reaches_over and _is_far_below(level, table)]
    levels = max(above, below, key=len)
    height = median(levels) if levels else top
    agreeing = sum(abs(level - height) <= _AGREEMENT_METRES for level in levels)
    return height if agreeing >= _MIN_OBJECTS else None


def _is_far_below(level: float, table: ObjectState) -> bool:
    low, tall = table.box.center[1] - table.box.size[1] / 2, table.box.size[1]
    return low + _MIN_BOARD_METRES <= level < low + tall - _MIN_RACK_METRES


def _with_top(obj: ObjectState, height: float) -> ObjectState:
    (x, y, z), (width, tall, depth) = obj.box.center, obj.box.size
    low = y - tall / 2
    box = Box((x, (low + height) / 2, z), (width, height - low, depth), obj.box.yaw)
    return replace(obj, box=box)
