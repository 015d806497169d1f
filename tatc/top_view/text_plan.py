"""Draws a room from above with letters, for a terminal."""

from collections import Counter
from dataclasses import dataclass

from tatc.rooms.object_creation import OVERHEAD_BOTTOM_METRES
from tatc.rooms.reachable_floor import ReachableFloor
from tatc.rooms.room import Room
from tatc.state import ObjectState
from tatc.top_view.type_groups import GROUP_COLOURS, TypeGroup, group_of

COLUMN_METRES, ROW_METRES = 0.1, 0.2
"""What one letter covers, metres: letters are twice as high as they are wide."""
PICKUPABLE_LETTER = "\N{BULLET}"
WALKABLE_LETTER = "\N{MIDDLE DOT}"
_TYPE_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


@dataclass(frozen=True, slots=True)
class PlanMark:
    """One letter of the plan and the colour group of what it stands for."""

    letter: str
    group: TypeGroup | None = None

    @property
    def style(self) -> str:
        """The style in which rich prints it."""
        if self.group is None:
            return "dim"
        red, green, blue = GROUP_COLOURS[self.group]
        return f"rgb(40,40,45) on rgb({red},{green},{blue})"


@dataclass(frozen=True, slots=True)
class TextPlan:
    """Rows of letters from the far wall to the near one, and what the letters mean."""

    rows: tuple[tuple[PlanMark, ...], ...]
    legend: tuple[tuple[PlanMark, str], ...]


def draw_text_plan(room: Room) -> TextPlan:
    """Return a plan of a room in letters; x goes right, z goes up."""
    x0, z0, x1, z1 = room.walls
    wide, high = (max(1, round((x1 - x0) / COLUMN_METRES)), max(1, round((z1 - z0) / ROW_METRES)))
    wide, high = min(wide, 2000), min(high, 2000)
    grid = [[PlanMark(" ")] * wide for _ in range(high)]
    for x, z in ReachableFloor.of_room(room).cells:
        column, row = int((x - x0) / COLUMN_METRES), int((z1 - z) / ROW_METRES)
        if 0 <= row < high and 0 <= column < wide:
            grid[row][column] = PlanMark(WALKABLE_LETTER)
    fixed = sorted((t for t in room.objects if _is_drawn(t)), key=_bottom)
    marks = _assign_letters(fixed)
    for obj in fixed:
        _fill_box(grid, (x0, z1), obj, marks[obj.objectType])
    for obj in room.objects:
        if obj.affordances.pickupable:
            x, _, z = obj.box.center
            row, column = int((z1 - z) / ROW_METRES), int((x - x0) / COLUMN_METRES)
            if 0 <= row < high and 0 <= column < wide:
                grid[row][column] = PlanMark(PICKUPABLE_LETTER, TypeGroup.PICKUPABLE)
    counts = Counter(obj.objectType for obj in fixed)
    legend = [
        (mark, f"{name} x{counts[name]}" if counts[name] > 1 else name)
        for name, mark in marks.items()
    ]
    legend.append((PlanMark(PICKUPABLE_LETTER, TypeGroup.PICKUPABLE), "what can be carried"))
    legend.append((PlanMark(WALKABLE_LETTER), "where a body can stand"))
    return TextPlan(tuple(tuple(row) for row in grid), tuple(legend))


def _is_drawn(obj: ObjectState) -> bool:
    able = obj.affordances
    return (
        not able.pickupable and obj.objectType != "Floor" and _bottom(obj) < OVERHEAD_BOTTOM_METRES
    )


def _bottom(obj: ObjectState) -> float:
    return obj.box.center[1] - obj.box.size[1] / 2


def _assign_letters(objects: list[ObjectState]) -> dict[str, PlanMark]:
    """Give each type a letter: its own first one where that is free."""
    marks: dict[str, PlanMark] = {}
    left = list(_TYPE_LETTERS)
    for name in sorted({obj.objectType for obj in objects}):
        own = [letter for letter in name if letter in left]
        letter = (own or left or ["#"])[0]
        if letter in left:
            left.remove(letter)
        marks[name] = PlanMark(letter, group_of(name))
    return marks


def _fill_box(
    grid: list[list[PlanMark]], corner: tuple[float, float], obj: ObjectState, mark: PlanMark
) -> None:
    """Write a thing's letter over what its box covers, one letter at least."""
    low, high = obj.box.bounds()
    (left, top), rows, columns = corner, len(grid), len(grid[0])
    first = min(max(round((low[0] - left) / COLUMN_METRES), 0), columns - 1)
    last = min(max(round((high[0] - left) / COLUMN_METRES), first + 1), columns)
    upper = min(max(round((top - high[2]) / ROW_METRES), 0), rows - 1)
    lower = min(max(round((top - low[2]) / ROW_METRES), upper + 1), rows)
    for row in range(upper, lower):
        for column in range(first, last):
            grid[row][column] = mark
