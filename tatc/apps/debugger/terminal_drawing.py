"""Drawing in a terminal: colours, texts beside a heading, images of two pixels a character."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from textwrap import TextWrapper

import numpy as np
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from tatc.base.plain_text import printable
from tatc.home import actions, state
from tatc.home.camera.rays import Rgb
from tatc.session.timeline import Moment, RemainingSteps
from tatc.session.timeline.belief_summary import BeliefInWorld, DifferenceKind, find_differences
from tatc.sim.top_view import plan_model

DIM_COLOUR, HIGHLIGHT_COLOUR = "#7f8694", "#ffd65c"
SUCCESS_COLOUR, FAILURE_COLOUR = "#7ee2a8", "#ff8d85"
COMMANDER_COLOUR, FOLLOWER_COLOUR = "#d6a0ff", "#78d6ff"
"""The colours of the Commander and the Follower."""
_NAME_PARTS = re.compile(r"(?<=[a-z0-9.|])(?=[A-Z])|(?<=[.|])")
MAX_LISTED = 40  # the most lines of one list in a pane; longer ones are slow to lay out


def append_hanging(text: Text, head: Text, body: str, style: str, width: int) -> None:
    """Append a heading and a body that is wrapped beside it, long names between their words."""
    lines = _NameWrapper(max(width - len(head), 12)).wrap(printable(body)) or [""]
    text.append_text(head)
    text.append(f"{lines[0]}\n", style)
    for line in lines[1:]:
        text.append(f"{' ' * len(head)}{line}\n", style)


class _NameWrapper(TextWrapper):
    """Breaks a name that is longer than a line between its words: simbotIs|Dirty."""

    def _split(self, text: str) -> list[str]:
        long = (_NAME_PARTS.split(c) if len(c) > self.width else (c,) for c in super()._split(text))
        return list(chain.from_iterable(long))


def append_row(text: Text, name: str, value: str, width: int, style: str = "") -> None:
    """Append a named value; append nothing if it is empty."""
    if value:
        append_hanging(text, Text(f"{name:<8}", DIM_COLOUR), value, style, width)


Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Glyph:
    """A letter over the pixels; without a background of its own it keeps theirs."""

    letter: str
    colour: Colour
    background: Colour | None = None


@dataclass(slots=True)
class Canvas:
    """Pixels, shape (2 * rows, columns, 3), and glyphs by (row, column)."""

    pixels: Rgb
    glyphs: dict[tuple[int, int], Glyph] = field(default_factory=dict[tuple[int, int], Glyph])

    @staticmethod
    def blank(columns: int, rows: int, colour: Colour) -> "Canvas":
        """Return a canvas of one colour."""
        return Canvas(np.full((2 * rows, columns, 3), colour, dtype=np.uint8))

    def write_text(
        self, row: int, column: int, text: str, colour: Colour, background: Colour
    ) -> None:
        """Write a text into a row of characters."""
        for i, letter in enumerate(text):
            self.glyphs[row, column + i] = Glyph(letter, colour, background)

    def segment_rows(self) -> list[list[Segment]]:
        """Return the canvas as rows of characters: upper half blocks and glyphs."""
        rows: list[list[list[int]]] = self.pixels.tolist()
        return [
            self._segment_row(rows[2 * row], rows[2 * row + 1], row)
            for row in range(len(rows) // 2)
        ]

    def _segment_row(
        self, upper: list[list[int]], lower: list[list[int]], row: int
    ) -> list[Segment]:
        """Return a row; neighbours of equal style share a segment."""
        line: list[Segment] = []
        run, style = "", _letter_style((0, 0, 0), (0, 0, 0))
        for column, (above, below) in enumerate(zip(upper, lower, strict=True)):
            glyph = self.glyphs.get((row, column))
            if glyph is None:
                letter, here = "\N{UPPER HALF BLOCK}", _letter_style((*above,), (*below,))
            else:
                ground = glyph.background or (*above,)
                letter, here = glyph.letter, _letter_style(glyph.colour, ground, True)
            if here is not style and run:
                line.append(Segment(run, style))
                run = ""
            run, style = run + letter, here
        line.append(Segment(run, style))
        return line


@lru_cache(maxsize=1 << 14)
def _letter_style(colour: tuple[int, ...], ground: tuple[int, ...], bold: bool = False) -> Style:
    red, green, blue = colour
    r, g, b = ground
    return Style.parse(f"{'bold ' if bold else ''}rgb({red},{green},{blue}) on rgb({r},{g},{b})")


@dataclass(frozen=True, slots=True)
class MapKnowledge:
    """What a Follower has seen of a room: cells, the objects that it has not, and its errors."""

    seen_cells: frozenset[actions.Cell]
    unseen_ids: frozenset[str]
    wrong_points: tuple[state.Vec2, ...]


def map_knowledge(here: BeliefInWorld) -> MapKnowledge:
    """Return what a belief knows of its world."""
    found = find_differences(here)
    unseen = (each.object_id for each in found if each.kind is DifferenceKind.UNSEEN)
    wrong = (each.object_id for each in found if each.kind is not DifferenceKind.UNSEEN)
    objects = (here.world.get(name) or here.snapshot.get(name) for name in wrong)
    points = ((obj.box.center[0], obj.box.center[2]) for obj in objects if obj is not None)
    return MapKnowledge(here.seen_cells, frozenset(unseen), tuple(points))


def seen_floor(floor: plan_model.PlanFloor, here: BeliefInWorld) -> plan_model.PlanFloor:
    """Return a floor with those of its cells that a belief has seen."""
    cells = tuple(cell for cell in floor.cells if actions.cell_of(*cell) in here.seen_cells)
    return replace(floor, cells=cells)


TRAIL_MOMENTS = 40  # moments for which the Follower's trail is shown
_BACKGROUND_COLOUR = (24, 26, 32)
_FLOOR_COLOUR = (44, 47, 56)
_CELL_COLOUR = (62, 66, 78)
_LABEL_COLOUR = (20, 22, 28)
_TRAIL_COLOUR = (58, 92, 120)
_PATH_COLOUR = (86, 182, 224)
_TARGET_COLOUR = (255, 214, 92)
_FOLLOWER_COLOUR = (120, 255, 170)
_COMMANDER_COLOUR = (214, 160, 255)
_BRIGHTNESS = 0.72  # of a group's colour: the PNG plan has a white ground, the map a dark one
_UNSEEN_BRIGHTNESS = 0.28  # of the colour of what the Follower has not seen
_UNSEEN_CELL_COLOUR = (36, 38, 46)
_WRONG_COLOUR = (255, 120, 110)
_HEADING_ARROWS = "▲▶▼◀"  # towards +z, +x, -z, -x
_COMMANDER_LETTER, _TARGET_LETTER, _WRONG_LETTER = "◆", "◎", "≠"


def plan_of_moment(
    floor: plan_model.PlanFloor,
    moments: Sequence[Moment],
    at: int,
    remaining: RemainingSteps,
    target_ids: Sequence[str],
    objects: state.Snapshot | None = None,
) -> plan_model.RoomPlan:
    """Return the plan of a moment, with `objects` in place of the moment's own if given."""
    snapshot = moments[at].snapshot
    trail = (each.snapshot.follower.pose for each in moments[max(at - TRAIL_MOMENTS, 0) : at])
    agents = plan_model.PlanAgents(
        snapshot.follower,
        snapshot.commander,
        tuple((pose.x, pose.z) for pose in trail),
        tuple((pose.x, pose.z) for pose in remaining.poses[1:]),
        plan_model.target_points(snapshot, target_ids),
    )
    return plan_model.RoomPlan.of_objects(floor, (objects or snapshot).objects, agents)


def draw_map(
    plan: plan_model.RoomPlan, columns: int, rows: int, known: MapKnowledge | None = None
) -> Canvas:
    """Return a plan in so many letters; x goes right, z up.  What is not in `known` is dark."""
    drawing = _MapDrawing(columns, rows, plan.floor, known)
    for cell in plan.floor.cells:
        seen = known is None or actions.cell_of(*cell) in known.seen_cells
        drawing.draw_dot(cell, _CELL_COLOUR if seen else _UNSEEN_CELL_COLOUR)
    for number, piece in enumerate(plan.furniture):
        if not piece.is_overhead:
            drawing.draw_furniture(number, piece)
    for obj in plan.small_objects:
        drawing.draw_dot(obj.middle, drawing.colour_of(obj))
    drawing.draw_labels()
    for point in () if known is None else known.wrong_points:
        drawing.draw_letter(point, _WRONG_LETTER, _WRONG_COLOUR)
    if plan.agents is not None:
        drawing.draw_agents(plan.agents)
    return drawing.canvas


class _MapDrawing:
    def __init__(
        self, columns: int, rows: int, floor: plan_model.PlanFloor, known: MapKnowledge | None
    ) -> None:
        self._known = known
        self.canvas = Canvas.blank(columns, rows, _BACKGROUND_COLOUR)
        (x0, z0), (x1, z1) = floor.low, floor.high
        width, depth = max(x1 - x0, 0.5), max(z1 - z0, 0.5)
        scale = min(columns / width, 2 * rows / depth)
        self._pixels_per_metre = scale
        self._left = (columns - width * scale) / 2 - x0 * scale
        self._top = (2 * rows - depth * scale) / 2 + z1 * scale
        self._piece_numbers = np.full((2 * rows, columns), -1)
        self._pieces: dict[int, tuple[plan_model.Footprint, slice, slice]] = {}
        self._fill_rectangle(floor.low, floor.high, _FLOOR_COLOUR)
        for (x0, _, z0), (x1, _, z1) in (box.bounds() for box in floor.beyond):
            self._fill_rectangle((x0, z0), (x1, z1), _BACKGROUND_COLOUR)

    def colour_of(self, piece: plan_model.Footprint) -> Colour:
        unseen = self._known is not None and piece.object_id in self._known.unseen_ids
        share = _UNSEEN_BRIGHTNESS if unseen else _BRIGHTNESS
        red, green, blue = plan_model.GROUP_COLOURS[piece.group]
        return round(red * share), round(green * share), round(blue * share)

    def draw_furniture(self, number: int, piece: plan_model.Footprint) -> None:
        low, high = piece.box.bounds()
        colour = self.colour_of(piece)
        rows, columns = self._fill_rectangle((low[0], low[2]), (high[0], high[2]), colour)
        if columns.stop - columns.start >= 4 and rows.stop - rows.start >= 4:
            edge = tuple(round(part * 0.8) for part in colour)
            self.canvas.pixels[rows, columns.start] = edge
            self.canvas.pixels[rows.stop - 1, columns] = edge
        self._piece_numbers[rows, columns] = number
        self._pieces[number] = piece, rows, columns

    def draw_labels(self) -> None:
        """Write the types of pieces of furniture where they fit, nearest to the middle."""
        for number, (piece, rows, columns) in self._pieces.items():
            name, width = piece.object_type, columns.stop - columns.start
            middle = (rows.start + rows.stop) / 4 - 0.5
            lines = range((rows.start + 1) // 2, rows.stop // 2)
            column = columns.start + (width - len(name)) // 2
            for row in sorted(lines, key=lambda row: abs(row - middle)):
                below = self._piece_numbers[2 * row : 2 * row + 2, column : column + len(name)]
                if len(name) <= width and (below == number).all():
                    self.canvas.write_text(row, column, name, _LABEL_COLOUR, self.colour_of(piece))
                    break

    def draw_agents(self, agents: plan_model.PlanAgents) -> None:
        for point in agents.trail:
            self.draw_dot(point, _TRAIL_COLOUR)
        for point in agents.path:
            self.draw_dot(point, _PATH_COLOUR)
        for point in agents.targets:
            self.draw_letter(point, _TARGET_LETTER, _TARGET_COLOUR)
        self.draw_letter(_point_of(agents.commander), _COMMANDER_LETTER, _COMMANDER_COLOUR)
        arrow = _HEADING_ARROWS[round(agents.follower.yaw / 90.0) % 4]
        self.draw_letter(_point_of(agents.follower), arrow, _FOLLOWER_COLOUR)

    def draw_dot(self, point: state.Vec2, colour: Colour) -> None:
        if at := self._pixel_of(point):
            row, column = at
            self.canvas.pixels[row, column] = colour
            self.canvas.glyphs.pop((row // 2, column), None)

    def draw_letter(self, point: state.Vec2, letter: str, colour: Colour) -> None:
        if at := self._pixel_of(point):
            row, column = at
            self.canvas.glyphs[row // 2, column] = Glyph(letter, colour, _LABEL_COLOUR)

    def _fill_rectangle(
        self, low: state.Vec2, high: state.Vec2, colour: Colour
    ) -> tuple[slice, slice]:
        """Fill a rectangle, one pixel at least; return its rows and columns."""
        height, width = self.canvas.pixels.shape[:2]
        rows = plan_model.covered_span(self._row_of(high[1]), self._row_of(low[1]), height)
        columns = plan_model.covered_span(self._column_of(low[0]), self._column_of(high[0]), width)
        self.canvas.pixels[rows, columns] = colour
        return rows, columns

    def _pixel_of(self, point: state.Vec2) -> tuple[int, int] | None:
        row, column = int(self._row_of(point[1])), int(self._column_of(point[0]))
        height, width = self.canvas.pixels.shape[:2]
        return (row, column) if 0 <= row < height and 0 <= column < width else None

    def _column_of(self, x: float) -> float:
        return self._left + x * self._pixels_per_metre

    def _row_of(self, z: float) -> float:
        return self._top - z * self._pixels_per_metre


def _point_of(agent: state.AgentState) -> state.Vec2:
    return agent.position[0], agent.position[2]
