"""Draws a room from above with letters, for a terminal."""

from collections import Counter
from dataclasses import dataclass

from tatc.sim.rooms.groups import COLOURS, Group, group_of
from tatc.sim.rooms.reach import Ground
from tatc.sim.rooms.room import Room
from tatc.sim.rooms.things import OVERHEAD
from tatc.state import ObjectState

COLUMN, ROW = 0.1, 0.2
"""What one letter covers, metres: letters are twice as high as they are wide."""
THING = "\N{BULLET}"
STANDS = "\N{MIDDLE DOT}"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


@dataclass(frozen=True, slots=True)
class Mark:
    """One letter of the plan and the colour group of what it stands for."""

    letter: str
    group: Group | None = None

    @property
    def style(self) -> str:
        """The style in which rich prints it."""
        if self.group is None:
            return "dim"
        red, green, blue = COLOURS[self.group]
        return f"rgb(40,40,45) on rgb({red},{green},{blue})"


@dataclass(frozen=True, slots=True)
class TextPlan:
    """Rows of letters from the far wall to the near one, and what the letters mean."""

    rows: tuple[tuple[Mark, ...], ...]
    legend: tuple[tuple[Mark, str], ...]


def text_plan(room: Room) -> TextPlan:
    """Return a plan of a room in letters; x goes right, z goes up."""
    x0, z0, x1, z1 = room.walls
    wide, high = max(1, round((x1 - x0) / COLUMN)), max(1, round((z1 - z0) / ROW))
    wide, high = min(wide, 2000), min(high, 2000)
    grid = [[Mark(" ")] * wide for _ in range(high)]
    for x, z in Ground.in_room(room).cells:
        column, row = int((x - x0) / COLUMN), int((z1 - z) / ROW)
        if 0 <= row < high and 0 <= column < wide:
            grid[row][column] = Mark(STANDS)
    fixed = sorted((t for t in room.objects if _is_drawn(t)), key=_low)
    marks = _marks(fixed)
    for thing in fixed:
        _fill(grid, (x0, z1), thing, marks[thing.objectType])
    for thing in room.objects:
        if thing.affordances.pickupable:
            x, _, z = thing.box.center
            row, column = int((z1 - z) / ROW), int((x - x0) / COLUMN)
            if 0 <= row < high and 0 <= column < wide:
                grid[row][column] = Mark(THING, Group.THING)
    counts = Counter(thing.objectType for thing in fixed)
    legend = [
        (mark, f"{name} x{counts[name]}" if counts[name] > 1 else name)
        for name, mark in marks.items()
    ]
    legend.append((Mark(THING, Group.THING), "what can be carried"))
    legend.append((Mark(STANDS), "where a body can stand"))
    return TextPlan(tuple(tuple(row) for row in grid), tuple(legend))


def _is_drawn(thing: ObjectState) -> bool:
    able = thing.affordances
    return (
        not able.pickupable and thing.objectType != "Floor" and _low(thing) < OVERHEAD
    )


def _low(thing: ObjectState) -> float:
    return thing.box.center[1] - thing.box.size[1] / 2


def _marks(things: list[ObjectState]) -> dict[str, Mark]:
    """Give each type a letter: its own first one where that is free."""
    marks: dict[str, Mark] = {}
    left = list(_LETTERS)
    for name in sorted({thing.objectType for thing in things}):
        own = [letter for letter in name if letter in left]
        letter = (own or left or ["#"])[0]
        if letter in left:
            left.remove(letter)
        marks[name] = Mark(letter, group_of(name))
    return marks


def _fill(
    grid: list[list[Mark]], corner: tuple[float, float], thing: ObjectState, mark: Mark
) -> None:
    """Write a thing's letter over what its box covers, one letter at least."""
    low, high = thing.box.bounds()
    (left, top), rows, columns = corner, len(grid), len(grid[0])
    first = min(max(round((low[0] - left) / COLUMN), 0), columns - 1)
    last = min(max(round((high[0] - left) / COLUMN), first + 1), columns)
    upper = min(max(round((top - high[2]) / ROW), 0), rows - 1)
    lower = min(max(round((top - low[2]) / ROW), upper + 1), rows)
    for row in range(upper, lower):
        for column in range(first, last):
            grid[row][column] = mark
