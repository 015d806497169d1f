"""Draws the plan of a room in letters, for a terminal."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tatc.sim.rooms.room import Room
from tatc.sim.top_view import plan_model

COLUMN_METRES, ROW_METRES = 0.1, 0.2
"""What one letter covers, metres: letters in a terminal are twice as high as wide."""
PICKUPABLE_LETTER = "\N{BULLET}"
WALKABLE_LETTER = "\N{MIDDLE DOT}"
_MAX_LETTERS = 2000  # letters along a side of the plan
_TYPE_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


@dataclass(frozen=True, slots=True)
class PlanMark:
    """One letter of the plan, and the group of types that gives its colour, if any."""

    letter: str
    group: plan_model.TypeGroup | None = None

    @property
    def style(self) -> str:
        """The letter's style for rich."""
        if self.group is None:
            return "dim"
        red, green, blue = plan_model.GROUP_COLOURS[self.group]
        return f"rgb(40,40,45) on rgb({red},{green},{blue})"


@dataclass(frozen=True, slots=True)
class TextPlan:
    """Rows of letters, highest z first, and what each letter means."""

    rows: tuple[tuple[PlanMark, ...], ...]
    legend: tuple[tuple[PlanMark, str], ...]


def draw_text_plan(room: Room) -> TextPlan:
    """Return a room in letters, x to the right and z up, without what hangs above furniture."""
    plan = plan_model.RoomPlan.of_room(room)
    furniture = [piece for piece in plan.furniture if not piece.is_overhead]
    marks = _assign_letters(furniture)
    grid = _LetterGrid(plan.floor)
    for cell in plan.floor.cells:
        grid.put(cell, PlanMark(WALKABLE_LETTER))
    for piece in furniture:
        grid.fill(piece, marks[piece.object_type])
    for obj in plan.small_objects:
        grid.put(obj.middle, PlanMark(PICKUPABLE_LETTER, obj.group))
    counts = Counter(piece.object_type for piece in furniture)
    legend = (
        *((mark, f"{name} x{counts[name]}".removesuffix(" x1")) for name, mark in marks.items()),
        (PlanMark(PICKUPABLE_LETTER, plan_model.TypeGroup.PICKUPABLE), "what can be carried"),
        (PlanMark(WALKABLE_LETTER), "where a body can stand"),
    )
    return TextPlan(tuple(tuple(row) for row in grid.rows), legend)


def _assign_letters(furniture: Sequence[plan_model.Footprint]) -> dict[str, PlanMark]:
    """Give each type a letter of its name that is free, else any that is; "#" if none is."""
    marks: dict[str, PlanMark] = {}
    left = list(_TYPE_LETTERS)
    for name in sorted({piece.object_type for piece in furniture}):
        own = [letter for letter in name if letter in left]
        letter = (own or left or ["#"])[0]
        if letter in left:
            left.remove(letter)
        marks[name] = PlanMark(letter, plan_model.group_of(name))
    return marks


class _LetterGrid:
    """The letters of a plan, row by row from its upper edge."""

    def __init__(self, floor: plan_model.PlanFloor) -> None:
        (x0, z0), (x1, z1) = floor.low, floor.high
        self._left, self._top = x0, z1
        self._columns = min(max(1, round((x1 - x0) / COLUMN_METRES)), _MAX_LETTERS)
        self._rows = min(max(1, round((z1 - z0) / ROW_METRES)), _MAX_LETTERS)
        self.rows = [[PlanMark(" ")] * self._columns for _ in range(self._rows)]

    def put(self, point: plan_model.Point, mark: PlanMark) -> None:
        """Write a letter at a point, if the grid reaches there."""
        column = int((point[0] - self._left) / COLUMN_METRES)
        row = int((self._top - point[1]) / ROW_METRES)
        if 0 <= row < self._rows and 0 <= column < self._columns:
            self.rows[row][column] = mark

    def fill(self, piece: plan_model.Footprint, mark: PlanMark) -> None:
        """Write a letter over all that a box covers, at least once."""
        low, high = piece.box.bounds()
        first = min(max(round((low[0] - self._left) / COLUMN_METRES), 0), self._columns - 1)
        last = min(max(round((high[0] - self._left) / COLUMN_METRES), first + 1), self._columns)
        upper = min(max(round((self._top - high[2]) / ROW_METRES), 0), self._rows - 1)
        lower = min(max(round((self._top - low[2]) / ROW_METRES), upper + 1), self._rows)
        for row in range(upper, lower):
            self.rows[row][first:last] = [mark] * (last - first)
