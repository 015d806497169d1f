"""The map: the room from above with both agents, the way ahead, target and trail."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tatc.debugger.half_block_canvas import Canvas, Colour, Glyph
from tatc.sim.embedded.motion import WalkableGrid
from tatc.state import AgentState, ObjectState, Scene, Snapshot
from tatc.timeline import RemainingSteps
from tatc.top_view.type_groups import GROUP_COLOURS, TypeGroup, group_of

OVERHEAD_METRES = 1.3
"""What begins higher than this hangs over the furniture and is left out, metres."""
TRAIL_MOMENTS = 40
"""Moments for which the Follower's way is shown behind it."""
_BACKGROUND_COLOUR = (24, 26, 32)
_FLOOR_COLOUR = (44, 47, 56)
_CELL_COLOUR = (62, 66, 78)
_LABEL_COLOUR = (20, 22, 28)
_TRAIL_COLOUR = (58, 92, 120)
_PATH_COLOUR = (86, 182, 224)
_TARGET_COLOUR = (255, 214, 92)
_FOLLOWER_COLOUR = (120, 255, 170)
_COMMANDER_COLOUR = (214, 160, 255)
_FURNITURE_BRIGHTNESS = 0.72  # furniture is drawn darker than on paper
_HEADING_ARROWS = "▲▶▼◀"


@dataclass(frozen=True, slots=True)
class MapContents:
    """What to draw beside the room itself.

    `trail` are the moments before, oldest first; `target_ids` ids of objects that stand
    out: what is clicked on, and what the Commander is concerned with.
    """

    snapshot: Snapshot
    remaining: RemainingSteps
    trail: Sequence[Snapshot] = ()
    target_ids: tuple[str, ...] = ()


class RoomMap:
    """Draws the moments of one session from above; x goes right, z goes up."""

    def __init__(self, scene: Scene) -> None:
        """Lay out a scene once."""
        self._cells = tuple((pose.x, pose.z) for pose in WalkableGrid.from_scene(scene).reachable())
        floors = scene.start.of_type("Floor") or scene.start.objects
        bounds = [obj.box.bounds() for obj in floors]
        self._low = min(low[0] for low, _ in bounds), min(low[2] for low, _ in bounds)
        self._high = max(hi[0] for _, hi in bounds), max(hi[2] for _, hi in bounds)

    def draw(self, contents: MapContents, columns: int, rows: int) -> Canvas:
        """Return the map in so many letters; the room is as large as they allow."""
        drawing = _MapDrawing(columns, rows, self._low, self._high)
        drawing.fill_rectangle(self._low, self._high, _FLOOR_COLOUR)
        for cell in self._cells:
            drawing.draw_dot(*cell, _CELL_COLOUR)
        pieces = [obj for obj in contents.snapshot.objects if _is_drawn_furniture(obj)]
        for number, obj in enumerate(sorted(pieces, key=_bottom_and_id)):
            drawing.draw_furniture(number, obj)
        for obj in contents.snapshot.objects:
            if obj.affordances.pickupable and not obj.isPickedUp:
                drawing.draw_dot(
                    obj.box.center[0], obj.box.center[2], _darkened_colour(TypeGroup.PICKUPABLE)
                )
        drawing.draw_labels()
        for past in contents.trail:
            drawing.draw_dot(past.follower.position[0], past.follower.position[2], _TRAIL_COLOUR)
        for pose in contents.remaining.poses[1:]:
            drawing.draw_dot(pose.x, pose.z, _PATH_COLOUR)
        for name in contents.target_ids:
            obj = contents.snapshot.get(name)
            if obj is not None:
                drawing.draw_letter(obj.box.center[0], obj.box.center[2], "◎", _TARGET_COLOUR)
        drawing.draw_agent(contents.snapshot.commander, "◆", _COMMANDER_COLOUR)
        drawing.draw_agent(contents.snapshot.follower, None, _FOLLOWER_COLOUR)
        return drawing.canvas


def _is_drawn_furniture(obj: ObjectState) -> bool:
    return (
        not obj.affordances.pickupable
        and obj.objectType not in ("Floor", "Wall", "Ceiling")
        and _bottom_and_id(obj)[0] < OVERHEAD_METRES
    )


def _bottom_and_id(obj: ObjectState) -> tuple[float, str]:
    return obj.box.center[1] - obj.box.size[1] / 2, obj.objectId


def _darkened_colour(group: TypeGroup) -> Colour:
    red, green, blue = GROUP_COLOURS[group]
    return (
        round(red * _FURNITURE_BRIGHTNESS),
        round(green * _FURNITURE_BRIGHTNESS),
        round(blue * _FURNITURE_BRIGHTNESS),
    )


class _MapDrawing:
    def __init__(
        self, columns: int, rows: int, low: tuple[float, float], high: tuple[float, float]
    ) -> None:
        self.canvas = Canvas.blank(columns, rows, _BACKGROUND_COLOUR)
        wide, deep = max(high[0] - low[0], 0.5), max(high[1] - low[1], 0.5)
        self._pixels_per_metre = min(columns / wide, 2 * rows / deep)  # pixels a metre
        self._piece_numbers = np.full((2 * rows, columns), -1)
        self._pieces: list[tuple[str, slice, slice]] = []
        self._left = (columns - wide * self._pixels_per_metre) / 2 - low[0] * self._pixels_per_metre
        self._top = (2 * rows - deep * self._pixels_per_metre) / 2 + high[
            1
        ] * self._pixels_per_metre

    def fill_rectangle(
        self, low: tuple[float, float], high: tuple[float, float], colour: Colour
    ) -> tuple[slice, slice]:
        """Fill a rectangle, one pixel at least; return its rows and columns."""
        left, right = self._column_of(low[0]), self._column_of(high[0])
        top, bottom = self._row_of(high[1]), self._row_of(low[1])
        tall, wide = self.canvas.pixels.shape[:2]
        rows = _pixel_span(top, bottom, tall)
        columns = _pixel_span(left, right, wide)
        self.canvas.pixels[rows, columns] = colour
        return rows, columns

    def draw_furniture(self, number: int, obj: ObjectState) -> None:
        """Draw a piece of furniture; a later one covers it."""
        low, high = obj.box.bounds()
        colour = _darkened_colour(group_of(obj.objectType))
        rows, columns = self.fill_rectangle((low[0], low[2]), (high[0], high[2]), colour)
        if columns.stop - columns.start >= 4 and rows.stop - rows.start >= 4:
            edge = tuple(round(part * 0.8) for part in colour)
            self.canvas.pixels[rows, columns.start] = edge
            self.canvas.pixels[rows.stop - 1, columns] = edge
        self._piece_numbers[rows, columns] = number
        self._pieces.append((obj.objectType, rows, columns))

    def draw_labels(self) -> None:
        """Write the names of pieces where there is room for them, the middle first."""
        for number, (name, rows, columns) in enumerate(self._pieces):
            wide = columns.stop - columns.start
            middle = (rows.start + rows.stop) / 4 - 0.5
            lines = range((rows.start + 1) // 2, rows.stop // 2)
            column = columns.start + (wide - len(name)) // 2
            for row in sorted(lines, key=lambda row: abs(row - middle)):
                room = self._piece_numbers[2 * row : 2 * row + 2, column : column + len(name)]
                if len(name) <= wide and (room == number).all():
                    colour = _darkened_colour(group_of(name))
                    self.canvas.write_text(row, column, name, _LABEL_COLOUR, colour)
                    break

    def draw_dot(self, x: float, z: float, colour: Colour) -> None:
        """Colour the pixel of a point, where the sheet has it."""
        row, column = int(self._row_of(z)), int(self._column_of(x))
        tall, wide = self.canvas.pixels.shape[:2]
        if 0 <= row < tall and 0 <= column < wide:
            self.canvas.pixels[row, column] = colour
            self.canvas.glyphs.pop((row // 2, column), None)

    def draw_letter(self, x: float, z: float, letter: str, colour: Colour) -> None:
        """Write a letter at a point."""
        row, column = int(self._row_of(z)) // 2, int(self._column_of(x))
        tall, wide = self.canvas.pixels.shape[:2]
        if 0 <= row < tall // 2 and 0 <= column < wide:
            self.canvas.glyphs[row, column] = Glyph(letter, colour, _LABEL_COLOUR)

    def draw_agent(self, agent: AgentState, letter: str | None, colour: Colour) -> None:
        """Write an agent: its letter, or an arrow where it looks."""
        arrow = _HEADING_ARROWS[round(agent.yaw / 90.0) % 4]
        self.draw_letter(agent.position[0], agent.position[2], letter or arrow, colour)

    def _column_of(self, x: float) -> float:
        return self._left + x * self._pixels_per_metre

    def _row_of(self, z: float) -> float:
        return self._top - z * self._pixels_per_metre


def _pixel_span(first: float, last: float, size: int) -> slice:
    """Return the pixels between two borders that the sheet has, one at least."""
    start = min(max(round(first), 0), size - 1)
    return slice(start, min(max(round(last), start + 1), size))
