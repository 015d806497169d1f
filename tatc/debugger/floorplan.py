"""The map: the room from above with both agents, the way ahead, target and trail."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tatc.debugger.blocks import Canvas, Colour, Glyph
from tatc.sim.embedded.motion import Floor
from tatc.sim.rooms.groups import COLOURS, Group, group_of
from tatc.state import AgentState, ObjectState, Scene, Snapshot
from tatc.timeline import Ahead

OVERHEAD = 1.3
"""What begins higher than this hangs over the furniture and is left out, metres."""
TRAIL = 40
"""Moments for which the Follower's way is shown behind it."""
_GROUND = (24, 26, 32)
_FLOOR = (44, 47, 56)
_CELL = (62, 66, 78)
_INK = (20, 22, 28)
_TRAIL = (58, 92, 120)
_PATH = (86, 182, 224)
_TARGET = (255, 214, 92)
_FOLLOWER = (120, 255, 170)
_COMMANDER = (214, 160, 255)
_SHADE = 0.72  # furniture is drawn darker than on paper
_ARROWS = "▲▶▼◀"


@dataclass(frozen=True, slots=True)
class Plan:
    """What to draw beside the room itself.

    `trail` are the moments before, oldest first; `targets` ids of objects that stand
    out: what is clicked on, and what the Commander is concerned with.
    """

    snapshot: Snapshot
    ahead: Ahead
    trail: Sequence[Snapshot] = ()
    targets: tuple[str, ...] = ()


class FloorPlan:
    """Draws the moments of one session from above; x goes right, z goes up."""

    def __init__(self, scene: Scene) -> None:
        """Lay out a scene once."""
        self._cells = tuple((pose.x, pose.z) for pose in Floor.of(scene).reachable())
        floors = scene.start.of_type("Floor") or scene.start.objects
        bounds = [thing.box.bounds() for thing in floors]
        self._low = min(low[0] for low, _ in bounds), min(low[2] for low, _ in bounds)
        self._high = max(hi[0] for _, hi in bounds), max(hi[2] for _, hi in bounds)

    def draw(self, plan: Plan, columns: int, rows: int) -> Canvas:
        """Return the map in so many letters; the room is as large as they allow."""
        sheet = _Sheet(columns, rows, self._low, self._high)
        sheet.fill(self._low, self._high, _FLOOR)
        for cell in self._cells:
            sheet.dot(*cell, _CELL)
        pieces = [thing for thing in plan.snapshot.objects if _is_furniture(thing)]
        for number, thing in enumerate(sorted(pieces, key=_under)):
            sheet.piece(number, thing)
        for thing in plan.snapshot.objects:
            if thing.affordances.pickupable and not thing.isPickedUp:
                sheet.dot(
                    thing.box.center[0], thing.box.center[2], _shaded(Group.THING)
                )
        sheet.label()
        for past in plan.trail:
            sheet.dot(past.follower.position[0], past.follower.position[2], _TRAIL)
        for pose in plan.ahead.poses[1:]:
            sheet.dot(pose.x, pose.z, _PATH)
        for name in plan.targets:
            thing = plan.snapshot.get(name)
            if thing is not None:
                sheet.mark(thing.box.center[0], thing.box.center[2], "◎", _TARGET)
        sheet.agent(plan.snapshot.commander, "◆", _COMMANDER)
        sheet.agent(plan.snapshot.follower, None, _FOLLOWER)
        return sheet.canvas


def _is_furniture(thing: ObjectState) -> bool:
    return (
        not thing.affordances.pickupable
        and thing.objectType not in ("Floor", "Wall", "Ceiling")
        and _under(thing)[0] < OVERHEAD
    )


def _under(thing: ObjectState) -> tuple[float, str]:
    return thing.box.center[1] - thing.box.size[1] / 2, thing.objectId


def _shaded(group: Group) -> Colour:
    red, green, blue = COLOURS[group]
    return round(red * _SHADE), round(green * _SHADE), round(blue * _SHADE)


class _Sheet:
    def __init__(
        self,
        columns: int,
        rows: int,
        low: tuple[float, float],
        high: tuple[float, float],
    ) -> None:
        self.canvas = Canvas.blank(columns, rows, _GROUND)
        wide, deep = max(high[0] - low[0], 0.5), max(high[1] - low[1], 0.5)
        self._scale = min(columns / wide, 2 * rows / deep)  # pixels a metre
        self._owner = np.full((2 * rows, columns), -1)
        self._pieces: list[tuple[str, slice, slice]] = []
        self._left = (columns - wide * self._scale) / 2 - low[0] * self._scale
        self._top = (2 * rows - deep * self._scale) / 2 + high[1] * self._scale

    def fill(
        self, low: tuple[float, float], high: tuple[float, float], colour: Colour
    ) -> tuple[slice, slice]:
        """Fill a rectangle, one pixel at least; return its rows and columns."""
        left, right = self._x(low[0]), self._x(high[0])
        top, bottom = self._y(high[1]), self._y(low[1])
        tall, wide = self.canvas.pixels.shape[:2]
        rows = _span(top, bottom, tall)
        columns = _span(left, right, wide)
        self.canvas.pixels[rows, columns] = colour
        return rows, columns

    def piece(self, number: int, thing: ObjectState) -> None:
        """Draw a piece of furniture; a later one covers it."""
        low, high = thing.box.bounds()
        colour = _shaded(group_of(thing.objectType))
        rows, columns = self.fill((low[0], low[2]), (high[0], high[2]), colour)
        if columns.stop - columns.start >= 4 and rows.stop - rows.start >= 4:
            edge = tuple(round(part * 0.8) for part in colour)
            self.canvas.pixels[rows, columns.start] = edge
            self.canvas.pixels[rows.stop - 1, columns] = edge
        self._owner[rows, columns] = number
        self._pieces.append((thing.objectType, rows, columns))

    def label(self) -> None:
        """Write the names of pieces where there is room for them, the middle first."""
        for number, (name, rows, columns) in enumerate(self._pieces):
            wide = columns.stop - columns.start
            middle = (rows.start + rows.stop) / 4 - 0.5
            lines = range((rows.start + 1) // 2, rows.stop // 2)
            column = columns.start + (wide - len(name)) // 2
            for row in sorted(lines, key=lambda row: abs(row - middle)):
                room = self._owner[2 * row : 2 * row + 2, column : column + len(name)]
                if len(name) <= wide and (room == number).all():
                    colour = _shaded(group_of(name))
                    self.canvas.write(row, column, name, _INK, colour)
                    break

    def dot(self, x: float, z: float, colour: Colour) -> None:
        """Colour the pixel of a point, where the sheet has it."""
        row, column = int(self._y(z)), int(self._x(x))
        tall, wide = self.canvas.pixels.shape[:2]
        if 0 <= row < tall and 0 <= column < wide:
            self.canvas.pixels[row, column] = colour
            self.canvas.glyphs.pop((row // 2, column), None)

    def mark(self, x: float, z: float, letter: str, colour: Colour) -> None:
        """Write a letter at a point."""
        row, column = int(self._y(z)) // 2, int(self._x(x))
        tall, wide = self.canvas.pixels.shape[:2]
        if 0 <= row < tall // 2 and 0 <= column < wide:
            self.canvas.glyphs[row, column] = Glyph(letter, colour, _INK)

    def agent(self, agent: AgentState, letter: str | None, colour: Colour) -> None:
        """Write an agent: its letter, or an arrow where it looks."""
        arrow = _ARROWS[round(agent.yaw / 90.0) % 4]
        self.mark(agent.position[0], agent.position[2], letter or arrow, colour)

    def _x(self, x: float) -> float:
        return self._left + x * self._scale

    def _y(self, z: float) -> float:
        return self._top - z * self._scale


def _span(first: float, last: float, size: int) -> slice:
    """Return the pixels between two borders that the sheet has, one at least."""
    start = min(max(round(first), 0), size - 1)
    return slice(start, min(max(round(last), start + 1), size))
